//go:build unix

package proxy

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// server is a proxy.
type server struct {
	conn    *conn
	part    Part
	binding process.Binding
	apps    []App // with the file and the directory that they have here
	records records

	parts  chan Part
	start  chan struct{}
	finish chan struct{}
	lost   chan struct{} // closed when mpirun is gone, or can be told nothing any more
	over   chan struct{} // closed when no rank is left
	halt   atomic.Bool

	mu        sync.Mutex
	processes map[uint32]*process.Process
	drains    []*output.Drain // of what ranks write, output and PMI
	running   sync.WaitGroup  // waits for ranks
	pumping   sync.WaitGroup
}

// Serve runs what mpirun says over in, and says over out how it goes. beat is how often both say that they are there, usually Beat. It
// takes the process over, and returns its exit status.
func Serve(in io.Reader, out io.WriteCloser, beat time.Duration) int {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGCHLD,
		syscall.SIGPIPE) // so that writing to a closed pipe is an error and not the end
	process.AdoptOrphans()
	if _, err := io.WriteString(out, greeting()); err != nil {
		return process.StatusFailed
	}
	s := &server{
		processes: make(map[uint32]*process.Process),
		parts:     make(chan Part, 1), start: make(chan struct{}, 1), finish: make(chan struct{}, 1),
		lost: make(chan struct{}), over: make(chan struct{}),
	}
	lose := sync.OnceFunc(func() { close(s.lost) })
	s.conn = newConn(out, lose, lose)
	go func() {
		_ = s.conn.read(bufio.NewReaderSize(s.conn.listen(in), frame.MaxPayload), s.handle)
		lose()
	}()
	go s.conn.beat(beat, lose)
	status := s.serve(signals)
	s.records.remove()
	close(s.over)
	return status
}

func (s *server) serve(signals <-chan os.Signal) int {
	starting, started := false, make(chan struct{})
	for {
		select {
		case part := <-s.parts:
			s.prepare(part)
		case <-s.start:
			starting = true
			go func() {
				process.StartAll(len(s.part.Ranks), s.halt.Load, s.over, s.startRank)
				s.conn.send(frame.Frame{Kind: frame.AllStarted})
				close(started)
			}()
		case sig := <-signals:
			switch sig {
			case syscall.SIGCHLD:
				s.reap(starting, started)
			case syscall.SIGPIPE:
			default: // a signal that asks this process to end
				s.end(starting, started)
				return process.StatusFailed
			}
		case <-s.lost:
			s.end(starting, started)
			return process.StatusFailed
		case <-s.finish:
			s.end(starting, started)
			s.drain()
			s.records.send(s.conn, s.part.Ranks)
			s.conn.sendAfterOutput(frame.Frame{Kind: frame.Finished})
			s.conn.close()
			<-s.conn.written
			return 0
		}
	}
}

// handle deals with a frame of mpirun.
func (s *server) handle(f frame.Frame) error {
	tell := func(c chan struct{}) {
		select {
		case c <- struct{}{}:
		default:
		}
	}
	switch f.Kind {
	case frame.Part:
		var part Part
		if err := json.Unmarshal(f.Payload, &part); err != nil {
			return err
		}
		select {
		case s.parts <- part:
		default:
		}
	case frame.Start:
		tell(s.start)
	case frame.Halt:
		s.halt.Store(true)
	case frame.Clock:
		s.conn.send(frame.Frame{Kind: frame.Clock, Payload: encode(time.Now().UnixNano())})
	case frame.Finish:
		tell(s.finish)
	case frame.Rest:
		s.conn.resting.Store(true)
	case frame.Resume:
		s.conn.resting.Store(false)
	case frame.State:
		if p := s.process(f.Rank); p != nil {
			s.conn.send(frame.Frame{Kind: frame.State, Rank: f.Rank, Payload: encode(p.Stopped())})
		}
	case frame.Signal:
		p := s.process(f.Rank)
		if number, known := signalNumber(string(f.Payload)); known && p != nil {
			p.Signal(number)
		}
	}
	return nil
}

// process is that of a rank, nil if it has not been started.
func (s *server) process(rank uint32) *process.Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.processes[rank]
}

// prepare finds out whether a part can be run here.
func (s *server) prepare(part Part) {
	s.part = part
	notes, err := s.check()
	if err != nil {
		s.conn.send(frame.Frame{Kind: frame.Refused, Payload: encode(err)})
		return
	}
	s.conn.send(frame.Frame{Kind: frame.Ready, Payload: encode(notes)})
}

func (s *server) check() (notes []string, why *Refusal) {
	if err := process.Check(len(s.part.Ranks)); err != nil {
		return nil, refuse(process.StatusFailed, "%v", err)
	}
	if s.part.Bind {
		var err error
		if s.binding, err = process.Bind(len(s.part.Ranks)); err != nil {
			return nil, refuse(process.StatusFailed, "%v", err)
		}
	}
	s.part.Env = process.Environment(os.Environ(), s.part.Env, len(s.part.Ranks), s.binding)
	var err error
	if s.records, err = newRecords(&s.part); err != nil {
		return nil, refuse(process.StatusFailed, "there can be no traces or profiles of the ranks: %v", err)
	}
	s.part.Env = append(s.part.Env, s.records.settings()...)
	for _, app := range s.part.Apps {
		note, why := app.settle(s.part.Env)
		if why != nil {
			return nil, why
		}
		if note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
		s.apps = append(s.apps, app)
	}
	return notes, nil
}

// startRank starts the i-th rank of the part.
func (s *server) startRank(i int) {
	rank := s.part.Ranks[i]
	number, app := uint32(rank.Number), s.apps[rank.App]
	c := process.Command{
		Rank: rank.Number, Size: s.part.Size, Path: app.Path, Args: app.Args, Dir: app.Dir, Together: s.part.Together, Processors: s.binding.Of(i),
		Env: slices.Concat(s.part.Env, app.Env, []string{rpi.EnvLocalRank + "=" + strconv.Itoa(i)}),
	}
	var input *os.File
	if s.part.Stdin && rank.Number == 0 {
		if r, w, err := os.Pipe(); err == nil {
			c.Stdin, input = r, w
			defer r.Close() // the process has its own
		}
	}
	p, err := process.Start(c)
	if err != nil {
		if input != nil {
			_ = input.Close()
		}
		s.conn.send(frame.Frame{Kind: frame.NotStarted, Rank: number, Payload: encode(refuse(process.StartStatus(err), "%v", err))})
		return
	}
	out, errs, pmi := s.conn.stream(number, frame.Stdout), s.conn.stream(number, frame.Stderr), s.conn.stream(number, frame.PMI)
	if input != nil {
		go feed(input, s.conn.stream(number, frame.Stdin))
	}
	s.mu.Lock()
	s.processes[number] = p
	drains := []*output.Drain{output.NewDrain(p.Stdout()), output.NewDrain(p.Stderr()), output.NewDrain(p.PMI())}
	s.drains = append(s.drains, drains...)
	s.mu.Unlock()
	s.conn.send(frame.Frame{Kind: frame.Started, Rank: number, Payload: encode(p.Pid())})

	var passed []<-chan struct{}
	for i, stream := range []*Stream{out, errs, pmi} {
		done := make(chan struct{})
		passed = append(passed, done)
		s.pumping.Go(func() {
			stream.pump(drains[i])
			close(done)
			if stream != pmi {
				_ = drains[i].Close()
			}
		})
	}
	go func() { // what mpirun says to the rank, until it says no more
		_, _ = io.Copy(p.PMI(), pmi)
		_ = p.PMI().Close()
	}()
	s.running.Go(func() {
		outcome := p.Wait()
		process.Settle(passed...)
		s.conn.sendAfterOutput(frame.Frame{Kind: frame.Ended, Rank: number, Payload: encode(outcome)})
	})
}

// feed writes to a rank's standard input what comes for it.
func feed(input *os.File, from *Stream) {
	defer input.Close()
	_, _ = io.Copy(input, from)
	_ = from.Close() // the rank reads no more
}

// end kills all ranks and what they have left behind.
func (s *server) end(starting bool, started chan struct{}) {
	s.halt.Store(true)
	kill := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, p := range s.processes {
			p.Signal(syscall.SIGKILL)
		}
	}
	kill()
	if starting {
		<-started
		kill()
	}
	s.running.Wait()
	process.KillOrphans(process.OrphanTime)
}

// drain passes on what ranks have written, once all have ended.
func (s *server) drain() {
	for _, d := range s.drains {
		d.Start(process.SettleTime)
	}
	s.pumping.Wait()
}

// reap takes leave of adopted children that have died, once it is known which children are ranks.
func (s *server) reap(starting bool, started <-chan struct{}) {
	if !starting {
		return
	}
	select {
	case <-started:
	default:
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ranks := make(map[int]bool, len(s.processes))
	for _, p := range s.processes {
		ranks[p.Pid()] = true
	}
	process.ReapOrphans(func(pid int) bool { return ranks[pid] })
}
