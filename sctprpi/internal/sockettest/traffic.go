package sockettest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// traffic is goroutines that send and goroutines that receive at one end of an
// association. Each end sends and receives as many messages.
type traffic struct {
	sock  socket.Socket
	id    socket.AssocID
	total int
	// ctx ends when there is nothing more to come, or in vain.
	ctx  context.Context
	full context.CancelFunc

	// got counts how often each message has been received.
	got []atomic.Int32
	// open counts what has yet to happen: messages to be sent, released if
	// lent, and received.
	open atomic.Int32

	mu sync.Mutex
	// writable is closed by the next Writable event. One of the receivers has
	// that, all the senders have to know.
	writable chan struct{}
}

func newTraffic(ctx context.Context, a *assoc, total int) *traffic {
	c := &traffic{sock: a.e.Socket, id: a.id, total: total, got: make([]atomic.Int32, total), writable: make(chan struct{})}
	c.ctx, c.full = context.WithCancel(ctx)
	c.open.Store(int32(2 * total))
	return c
}

// done books that n of what is open has happened.
func (c *traffic) done(n int32) {
	if c.open.Add(-n) == 0 {
		c.full()
	}
}

// send sends count messages, which carry their numbers from first on.
func (c *traffic) send(first, count int) error {
	for i := range count {
		m := socket.Message{Stream: socket.StreamID(i % 5), Data: [][]byte{make([]byte, 200)}, ZeroCopy: i%2 == 0}
		binary.BigEndian.PutUint32(m.Data[0], uint32(first+i))
		if m.ZeroCopy {
			m.Owner = &m.Data
			c.open.Add(1)
		}
		if err := c.sendOne(m); err != nil {
			return err
		}
		c.done(1)
	}
	return nil
}

func (c *traffic) sendOne(m socket.Message) error {
	for {
		c.mu.Lock()
		writable := c.writable
		c.mu.Unlock()
		_, err := c.sock.Send(c.id, []socket.Message{m})
		if err == nil {
			return nil
		}
		if !errors.Is(err, socket.ErrWouldBlock) {
			return fmt.Errorf("send: %w", err)
		}
		select {
		case <-writable:
		case <-c.ctx.Done():
			return fmt.Errorf("waited in vain for Writable: %w", c.ctx.Err())
		}
	}
}

// receive receives until nothing is open.
func (c *traffic) receive() error {
	events := make([]socket.Event, 4)
	for {
		if err := c.sock.Wait(c.ctx); err != nil {
			if c.open.Load() == 0 {
				return nil
			}
			return fmt.Errorf("wait, with %d still open: %w", c.open.Load(), err)
		}
		n, err := c.sock.Receive(events)
		if err != nil {
			return fmt.Errorf("receive: %w", err)
		}
		for i := range events[:n] {
			if err := c.take(&events[i]); err != nil {
				return err
			}
		}
	}
}

func (c *traffic) take(e *socket.Event) error {
	switch e.Kind {
	case socket.Data:
		if e.Begin {
			if i := binary.BigEndian.Uint32(e.Payload); int(i) < c.total {
				c.got[i].Add(1)
			}
		}
		end := e.End
		e.Release()
		if end {
			c.done(1)
		}
	case socket.Released:
		c.done(1)
	case socket.Writable:
		c.mu.Lock()
		close(c.writable)
		c.writable = make(chan struct{})
		c.mu.Unlock()
	case socket.PathUp:
	default:
		return fmt.Errorf("event %s: %w", kindName(e.Kind), e.Err)
	}
	return nil
}
