package proxy

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
)

// maxQueued bounds the bytes of frames that wait to be written beside those that streams have credit for. Only a connection
// that takes nothing while very many signals are sent comes to it.
const maxQueued = 4<<20 + frame.MaxPart

// conn is one end of a connection between mpirun and a proxy. Nothing that sends waits: a stream sends what it has credit
// for, and all else is short and rare. So an end always reads, and neither can block the other.
type conn struct {
	out   io.WriteCloser
	stuck func() // unless nil, called when the other end takes nothing any more, though it is there
	deaf  func() // unless nil, called when nothing can be sent to the other end any more

	mu      sync.Mutex
	wake    *sync.Cond // something is to be written, or has been
	urgent  [][]byte   // frames that go first: all but output and what must come after it
	bulk    [][]byte
	queued  int   // bytes in urgent that no stream has credit for
	writing bool  // a frame is being written
	ended   error // why nothing is written any more
	over    bool  // nothing more comes
	closing bool  // what is queued is written, and then out is closed
	written chan struct{}
	arrived uint64 // frames that have come, but for signs of life

	streams map[key]*Stream

	heard   atomic.Uint64 // bytes that have come
	resting atomic.Bool   // the other end has said that it will be silent
	gone    chan struct{} // closed when nothing more comes
}

type key struct {
	rank uint32
	id   frame.Stream
}

func newConn(out io.WriteCloser, stuck, deaf func()) *conn {
	c := &conn{out: out, stuck: stuck, deaf: deaf, streams: make(map[key]*Stream), written: make(chan struct{}), gone: make(chan struct{})}
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
	case c.queued+uncredited(b) > maxQueued:
		c.ended = errors.New("it takes nothing any more")
		if c.stuck != nil {
			go c.stuck()
		}
	default:
		c.urgent = append(c.urgent, b)
		c.queued += uncredited(b)
	}
	c.wake.Broadcast()
}

// uncredited is how many bytes of a frame count towards maxQueued.
func uncredited(b []byte) int {
	if frame.KindOf(b) == frame.Data {
		return 0
	}
	return len(b)
}

// flush returns when what has been queued first has been written, or after the time limit.
func (c *conn) flush(limit time.Duration) {
	late := false
	defer time.AfterFunc(limit, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		late = true
		c.wake.Broadcast()
	}).Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for (len(c.urgent) > 0 || c.writing) && c.ended == nil && !late {
		c.wake.Wait()
	}
}

// progress is how many frames have come, and whether a stream has bytes that have not been read.
func (c *conn) progress() (arrived uint64, unread bool) {
	c.mu.Lock()
	arrived = c.arrived
	streams := slices.Collect(maps.Values(c.streams)) // whose locks come before c.mu
	c.mu.Unlock()
	return arrived, slices.ContainsFunc(streams, (*Stream).unread)
}

// close writes what is queued, and then closes the writing side. It does not wait.
func (c *conn) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	c.wake.Broadcast()
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
			c.failWriting(err)
			return
		}
	}
}

// failWriting notes that nothing can be sent any more. What the other end has sent before it went is still to come.
func (c *conn) failWriting(err error) {
	c.mu.Lock()
	c.ended = cmp.Or(c.ended, err)
	streams := slices.Collect(maps.Values(c.streams))
	c.wake.Broadcast()
	c.mu.Unlock()
	for _, s := range streams {
		s.failWriting()
	}
	if c.deaf != nil {
		c.deaf()
	}
}

// next is what is to be written next, nil at the end.
func (c *conn) next() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writing = false
	c.wake.Broadcast()
	for {
		switch {
		case c.ended != nil:
			return nil
		case len(c.urgent) > 0:
			b := c.urgent[0]
			c.urgent = c.urgent[1:]
			c.queued -= uncredited(b)
			c.writing = true
			return b
		case len(c.bulk) > 0:
			b := c.bulk[0]
			c.bulk = c.bulk[1:]
			c.writing = true
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
	c.ended = cmp.Or(c.ended, err)
	if !c.over {
		c.over = true
		close(c.gone)
	}
	streams := c.streams
	c.streams = make(map[key]*Stream)
	c.wake.Broadcast()
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
	switch {
	case c.over:
		s.fail()
		return s
	case c.ended != nil:
		s.failWriting()
	}
	c.streams[key{rank, id}] = s
	return s
}

// read hands on what comes until the connection ends, and returns why. handle gets all frames that are not of streams.
func (c *conn) read(in *bufio.Reader, handle func(frame.Frame) error) error {
	for {
		f, err := frame.Read(in)
		if err == nil {
			err = c.take(f, handle)
		}
		if err != nil {
			c.fail(err)
			return err
		}
	}
}

// take deals with a frame.
func (c *conn) take(f frame.Frame, handle func(frame.Frame) error) error {
	if f.Kind == frame.Alive {
		return nil
	}
	c.mu.Lock()
	c.arrived++
	c.mu.Unlock()
	if f.Stream != frame.None {
		return c.deliver(f)
	}
	return handle(f)
}

// listen returns what comes from the other end, which is a sign of life of it.
func (c *conn) listen(in io.Reader) io.Reader { return ear{in, &c.heard} }

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
		if !s.grant(f.Credit()) {
			return fmt.Errorf("rank %d has read more than was sent", f.Rank)
		}
	}
	return nil
}
