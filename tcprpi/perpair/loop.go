package perpair

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// inside is the transport as those see it who move its messages.
type inside struct{ *Transport }

// Wait implements progress.Network.
func (t inside) Wait(ctx context.Context) error {
	if t.more.Load() || t.holding.Load() {
		return nil
	}
	return t.poller.Wait(ctx)
}

// Block implements progress.Network.
func (t inside) Block() error {
	if t.more.Load() || t.holding.Load() {
		return nil
	}
	return t.poller.Block()
}

// Wake implements progress.Network.
func (t inside) Wake() { t.poller.Wake() }

// Poll implements progress.Network: it reads what has arrived and resumes writes.
func (t inside) Poll() (bool, error) {
	t.progress.Lock()
	defer t.progress.Unlock()
	if t.holding.Load() {
		t.release()
	}
	events, err := t.poller.Poll()
	if err != nil {
		return false, err // closed
	}
	pending := t.again
	t.again = t.served[:0]
	for _, c := range pending {
		t.again = t.serve(c, socket.Event{Readable: true}, t.again)
	}
	for _, e := range events {
		t.mu.Lock()
		c := t.conns[e.Token]
		t.mu.Unlock()
		t.again = t.serve(c, e, t.again)
	}
	clear(pending)
	t.served = pending
	if more := len(t.again) > 0; more != t.more.Load() {
		t.more.Store(more)
		if more {
			t.poller.Wake() // who waits already, and may not wait for that
		}
	}
	return len(pending)+len(events) > 0, nil
}

// serve handles one event of a connection, which it adds to again if it has more to
// read.
func (t *Transport) serve(c *conn, e socket.Event, again []*conn) []*conn {
	t.mu.Lock()
	if c.phase != open {
		t.mu.Unlock()
		return again
	}
	if e.Writable {
		t.writable(c)
	}
	if !e.Readable || c.ended || c.phase != open {
		t.unlock()
		return again
	}
	c.reading = true
	t.unlock()
	more, err := t.read(c, e.Hangup)
	t.mu.Lock()
	defer t.unlock()
	c.reading = false
	if err != nil {
		t.lost(c, err)
	}
	t.retire(c)
	if more && c.phase == open {
		again = append(again, c)
	}
	return again
}

// lost handles the end of a stream, orderly or not. The lock is held.
func (t *Transport) lost(c *conn, err error) {
	if errors.Is(err, io.EOF) {
		if t.layer.Failed(c.peer) != nil { // it has said Bye
			c.ended = true
			t.changed.Broadcast()
			return
		}
		err = errors.New("it closed the connection without finalizing: it has ended or was killed")
	} else {
		err = fmt.Errorf("the connection with it broke: %w", err)
	}
	t.fail(c, err)
}
