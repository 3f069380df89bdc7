package proxy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
)

// maxQueued bounds the bytes of frames that wait to be written beside those that streams have credit for. Only a connection
// that takes nothing while very many signals are sent comes to it.
const maxQueued = 4 << 20

// conn is one end of a connection between mpirun and a proxy. Nothing that sends waits: a stream sends what it has credit
// for, and all else is short and rare. So an end always reads, and neither can block the other.
type conn struct {
	out io.WriteCloser

	mu      sync.Mutex
	wake    *sync.Cond
	urgent  [][]byte // frames that go first: all but output and what must come after it
	bulk    [][]byte
	queued  int   // bytes in urgent
	ended   error // why nothing is written any more
	closing bool  // what is queued is written, and then out is closed
	written chan struct{}

	streams map[key]*Stream
}

type key struct {
	rank uint32
	id   frame.Stream
}

func newConn(out io.WriteCloser) *conn {
	c := &conn{out: out, streams: make(map[key]*Stream), written: make(chan struct{})}
	c.wake = sync.NewCond(&c.mu)
	go c.write()
	return c
}

// send queues a frame.
func (c *conn) send(f frame.Frame) { c.queue(f, true) }

// sendAfterOutput queues a frame behind all output.
func (c *conn) sendAfterOutput(f frame.Frame) { c.queue(f, false) }

func (c *conn) queue(f frame.Frame, urgent bool) {
	b := frame.Append(make([]byte, 0, 16+len(f.Payload)), f)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended != nil || c.closing:
		return
	case !urgent:
		c.bulk = append(c.bulk, b)
	case c.queued+len(b) > maxQueued+frame.MaxPart:
		c.ended = errors.New("it takes nothing any more")
	default:
		c.urgent = append(c.urgent, b)
		c.queued += len(b)
	}
	c.wake.Signal()
}

// close writes what is queued, and then closes the writing side. It does not wait.
func (c *conn) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	c.wake.Signal()
}

// write writes what is queued until the connection ends.
func (c *conn) write() {
	defer close(c.written)
	defer c.out.Close()
	for {
		b := c.next()
		if b == nil {
			return
		}
		if _, err := c.out.Write(b); err != nil {
			c.fail(err)
			return
		}
	}
}

// next is what is to be written next, nil at the end.
func (c *conn) next() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.ended != nil:
			return nil
		case len(c.urgent) > 0:
			b := c.urgent[0]
			c.urgent = c.urgent[1:]
			c.queued -= len(b)
			return b
		case len(c.bulk) > 0:
			b := c.bulk[0]
			c.bulk = c.bulk[1:]
			return b
		case c.closing:
			return nil
		}
		c.wake.Wait()
	}
}

// fail ends the connection: streams end, and nothing is sent any more.
func (c *conn) fail(err error) {
	c.mu.Lock()
	if c.ended == nil {
		c.ended = err
	}
	streams := c.streams
	c.streams = make(map[key]*Stream)
	c.wake.Signal()
	c.mu.Unlock()
	for _, s := range streams {
		s.fail()
	}
}

// stream makes a stream of a rank, before its first byte can come.
func (c *conn) stream(rank uint32, id frame.Stream) *Stream {
	s := newStream(c, rank, id)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != nil {
		s.fail()
		return s
	}
	c.streams[key{rank, id}] = s
	return s
}

// read hands on what comes until the connection ends, and returns why. handle gets all frames that are not of streams.
func (c *conn) read(in *bufio.Reader, handle func(frame.Frame) error) error {
	for {
		f, err := frame.Read(in)
		if err == nil {
			if f.Stream != frame.None {
				err = c.deliver(f)
			} else {
				err = handle(f)
			}
		}
		if err != nil {
			c.fail(err)
			return err
		}
	}
}

// deliver hands a frame to its stream.
func (c *conn) deliver(f frame.Frame) error {
	c.mu.Lock()
	s := c.streams[key{f.Rank, f.Stream}]
	c.mu.Unlock()
	if s == nil {
		return nil // of a rank that has been given up
	}
	switch f.Kind {
	case frame.Data:
		if !s.arrive(f.Payload) {
			return fmt.Errorf("rank %d sends more than it may", f.Rank)
		}
	case frame.End:
		s.end()
	case frame.Credit:
		s.grant(f.Credit())
	}
	return nil
}
