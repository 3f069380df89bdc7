package pmi

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
)

// session is one connection of a server.
type session struct {
	server *Server
	rank   int // -1 until it is known
	conn   net.Conn
	in     *bufio.Reader
	fence  *round // that the client waits at the end of, or nil
	told   int    // how many of the dead the client has been told of
}

func newSession(s *Server, conn net.Conn) *session {
	return &session{server: s, rank: -1, conn: conn, in: bufio.NewReaderSize(conn, maxLine)}
}

func (c *session) attach(rank int) error {
	if err := c.server.attach(rank); err != nil {
		return err
	}
	c.rank = rank
	return nil
}

// input is a line or the error that ends the connection.
type input struct {
	line string
	err  error
}

// run serves until the connection ends and returns why; nil stands for an end after an abort. Reading has its own
// goroutine because an abort may come from a client that waits at a fence.
func (c *session) run() error {
	inputs, stop := make(chan input), make(chan struct{})
	defer close(stop)
	go func() {
		for {
			line, err := readLine(c.in)
			select {
			case inputs <- input{line, err}:
			case <-stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	for {
		var released chan struct{} // nil, which blocks, unless the client is at a fence
		if c.fence != nil {
			released = c.fence.done
		}
		select {
		case <-released:
			if err := c.leaveFence(); err != nil {
				return err
			}
		case what := <-c.server.clients[c.rank].notices:
			if err := c.send(format("notice", "what", escapeText(what))); err != nil {
				return err
			}
		case <-c.server.clients[c.rank].deaths:
			if err := c.tellDeaths(); err != nil {
				return err
			}
		case in := <-inputs:
			if in.err != nil {
				return in.err
			}
			if err := c.handle(in.line, inputs); err != nil {
				return err
			}
			if c.server.Phase(c.rank) == Aborted {
				discard(inputs)
				return nil
			}
		}
	}
}

// leaveFence tells the client that the fence which it waits at is over.
func (c *session) leaveFence() error {
	err := c.fence.err
	c.fence = nil
	switch {
	case err != nil:
		peer := AnyPeer
		if rank, ok := errors.AsType[left](err); ok {
			peer = int(rank)
		}
		c.server.sawFailure(c.rank, peer)
	case c.server.config.OnFence != nil:
		c.server.config.OnFence(c.rank)
	}
	return c.answer("barrier_out", err)
}

// discard reads to the end of the connection. After an abort a client may send anything, as C clients do with texts of
// several lines, and gets no answer; but it must not see the connection close before the launcher kills it.
func discard(inputs <-chan input) {
	for in := range inputs {
		if in.err != nil {
			return
		}
	}
}

// misbehaviour is nil when a connection has ended just because its client has gone.
func misbehaviour(err error) error {
	var gone *net.OpError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errors.New("it did not say in time which rank it is")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe), errors.As(err, &gone):
		return nil
	}
	return err
}

// handle serves one request. An error ends the connection.
func (c *session) handle(line string, inputs <-chan input) error {
	if strings.HasPrefix(line, "mcmd=") {
		return c.refuseSpawn(inputs)
	}
	m, err := parse(line)
	if err != nil {
		return err
	}
	serve := handler(m.cmd)
	if serve == nil {
		return fmt.Errorf("unknown command: %s", excerpt(line))
	}
	phase := c.server.Phase(c.rank)
	switch {
	case c.fence != nil && !unanswered[m.cmd]:
		return fmt.Errorf("command %s while waiting at a fence", m.cmd)
	case phase != Initialised && m.cmd != "init" && !unanswered[m.cmd]:
		return fmt.Errorf("command %s in phase %s", m.cmd, phase)
	case phase == Initialised && m.cmd == "init":
		return errors.New("a second init")
	}
	return serve(c, m)
}

// refuseSpawn reads a request for more processes to its end and refuses it. It consists of blocks of lines; the block
// whose number is their total is the last.
func (c *session) refuseSpawn(inputs <-chan input) error {
	if c.fence != nil || c.server.Phase(c.rank) != Initialised {
		return errors.New("command spawn out of place")
	}
	var total, current string
	for in := range inputs {
		if in.err != nil {
			return in.err
		}
		if value, ok := strings.CutPrefix(in.line, "totspawns="); ok {
			total = value
		}
		if value, ok := strings.CutPrefix(in.line, "spawnssofar="); ok {
			current = value
		}
		if in.line == "endcmd" && current == total {
			break
		}
	}
	return c.answer("spawn_result", errors.New("this launcher cannot start further processes"))
}

// answer replies with rc=0, or with the reason why not, and further pairs.
func (c *session) answer(cmd string, why error, pairs ...string) error {
	if why != nil {
		return c.send(format(cmd, "rc", "-1", "msg", escapeText(why.Error())))
	}
	return c.send(format(cmd, append([]string{"rc", "0"}, pairs...)...))
}

func (c *session) send(line []byte) error {
	_, err := c.conn.Write(line)
	return err
}
