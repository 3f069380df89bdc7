package pmi

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	// maxUnidentified bounds the connections that have not said which rank they are, beyond one for each rank. Another one closes the
	// oldest, so that those that say nothing keep no rank out.
	maxUnidentified = 64
	// identifyTimeout is how long a connection may take to say which rank it is.
	identifyTimeout = 10 * time.Second
)

// Serve accepts the connections of ranks on a port, which should be one of the loopback interface, until the listener is
// closed, and returns when all of them have ended. Each presents the [Server.PortID] that it found in PMI_ID: a random
// number of 31 bits, good for one connection, so that other users of the host cannot connect as a rank.
func (s *Server) Serve(l net.Listener) error {
	var sessions sync.WaitGroup
	defer sessions.Wait()
	silent := unidentified{limit: s.config.Size + maxUnidentified}
	for {
		conn, err := l.Accept()
		if err != nil {
			return fmt.Errorf("pmi: accept: %w", err)
		}
		silent.enter(conn)
		sessions.Go(func() {
			s.serve(conn, func(c *session) error {
				defer silent.leave(conn)
				return c.identify()
			})
		})
	}
}

// unidentified are the connections that have not said which rank they are.
type unidentified struct {
	limit int

	mu    sync.Mutex
	conns []net.Conn // the oldest first
}

// enter adds a connection. If there are too many, the oldest is closed.
func (u *unidentified) enter(conn net.Conn) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.conns = append(u.conns, conn); len(u.conns) > u.limit {
		_ = u.conns[0].Close()
		u.conns = slices.Delete(u.conns, 0, 1)
	}
}

// leave takes a connection off the list, unless that has been done.
func (u *unidentified) leave(conn net.Conn) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if i := slices.Index(u.conns, conn); i >= 0 {
		u.conns = slices.Delete(u.conns, i, i+1)
	}
}

// identify reads a client's first line, which says which rank it is. It answers with what the client would find in its
// environment if it had inherited the connection.
func (c *session) identify() error {
	if err := c.conn.SetReadDeadline(time.Now().Add(identifyTimeout)); err != nil {
		return err
	}
	line, err := readLine(c.in)
	if err != nil {
		return err
	}
	m, err := parse(line)
	if err != nil {
		return err
	}
	if m.cmd != "initack" {
		return fmt.Errorf("first command is not initack: %s", excerpt(line))
	}
	id, err := m.integer("pmiid")
	if err != nil {
		return err
	}
	rank, known := c.server.ranks[id]
	if !known {
		return errors.New("no rank has this pmiid")
	}
	if err := c.attach(rank); err != nil {
		return err
	}
	if err := c.conn.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	reply := format("initack", "rc", "0")
	reply = append(reply, format("set", "size", strconv.Itoa(c.server.config.Size))...)
	reply = append(reply, format("set", "rank", strconv.Itoa(rank))...)
	return c.send(append(reply, format("set", "debug", "0")...))
}
