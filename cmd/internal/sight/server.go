package sight

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Server answers viewers.
type Server struct {
	job      Job
	look     func() (Job, bool)
	listener *net.UnixListener
	file     string
	viewers  chan struct{} // holds an element for each

	turn  sync.Mutex // look is called
	taken time.Time
	last  []byte
}

// Listen begins to answer viewers of a job. look returns how it is now, or false when it has ended; it must not take long, and is called
// by one goroutine at a time. Sockets that dead mpiruns have left are removed.
func Listen(job Job, look func() (Job, bool)) (*Server, error) {
	for file, pid := range sockets() {
		if conn, err := dial(file); err == nil {
			_ = conn.Close()
		} else if stale(pid, err) {
			_ = os.Remove(file)
		}
	}
	s := &Server{job: job, look: look, viewers: make(chan struct{}, maxViewers)}
	var failures []error
	for _, folder := range folders() {
		var err error
		for range 3 { // another mpirun may remove the folder meanwhile
			if err = makeFolder(folder); err == nil {
				err = s.listen(folder)
			}
			if err == nil {
				go s.serve()
				return s, nil
			}
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

// listen makes a socket. It gets its name when it listens already, so that no viewer takes it for a dead one's.
func (s *Server) listen(folder string) error {
	name := fmt.Sprintf("%d.%s", s.job.Pid, rand.Text()[:8]) // in containers several mpiruns may have one number
	early := filepath.Join(folder, "new-"+name)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: early, Net: "unix"})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	s.listener, s.file = l, filepath.Join(folder, name+ending)
	if err = os.Chmod(early, 0o600); err == nil {
		err = os.Rename(early, s.file)
	}
	if err != nil {
		_ = l.Close()
		_ = os.Remove(early)
	}
	return err
}

// Close removes the socket, and its folder if no other one is in it. Viewers that are being answered are left.
func (s *Server) Close() {
	_ = os.Remove(s.file)
	_ = s.listener.Close()
	_ = os.Remove(filepath.Dir(s.file))
}

func (s *Server) serve() {
	for {
		conn, err := s.listener.AcceptUnix()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // too many open files, which may pass
			time.Sleep(time.Second)
			continue
		}
		select {
		case s.viewers <- struct{}{}:
			go func() {
				defer func() { <-s.viewers }()
				s.answer(conn)
			}()
		default:
			_ = conn.Close()
		}
	}
}

// answer answers one viewer.
func (s *Server) answer(conn *net.UnixConn) {
	defer conn.Close()
	if err := checkPeer(conn); err != nil {
		return
	}
	_ = conn.SetReadDeadline(time.Now().Add(questionTime))
	question, err := bufio.NewReader(io.LimitReader(conn, maxQuestion)).ReadString('\n')
	if err != nil {
		return
	}
	var reply []byte
	switch strings.TrimSpace(question) {
	case askName:
		reply = encode(answer{Job: &s.job})
	case askLook:
		reply = s.see()
	default:
		reply = encode(answer{Error: "mpirun of this job is of another version"})
	}
	_ = conn.SetWriteDeadline(time.Now().Add(writeTime))
	_, _ = conn.Write(reply)
}

// see looks at the job, unless that was done a moment ago.
func (s *Server) see() []byte {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.last != nil && time.Since(s.taken) < leastInterval {
		return s.last
	}
	job, ok := s.look()
	if !ok {
		return encode(answer{Error: ErrEnded.Error()})
	}
	s.last, s.taken = encode(answer{Job: &job}), time.Now()
	return s.last
}

func encode(a answer) []byte {
	b, _ := json.Marshal(a) // never fails
	return append(b, '\n')
}
