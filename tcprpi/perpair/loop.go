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
	if t.favourite.Store(nil); t.more.Load() || t.holding.Load() {
		return nil
	}
	return t.poller.Wait(ctx)
}

// Block implements progress.Network.
func (t inside) Block() error {
	if t.favourite.Store(nil); t.more.Load() || t.holding.Load() {
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
	if c := t.favourite.Load(); c != nil && len(t.again) == 0 {
		if t.skipped++; t.skipped%pollEvery != 0 {
			some := t.serve(c, socket.Event{Readable: true})
			if some {
				t.favour(c)
			}
			t.note()
			return some, nil
		}
	}
	events, err := t.poller.Poll()
	if err != nil {
		return false, err // closed
	}
	pending := t.again
	t.again = t.served[:0]
	some := false
	for _, c := range pending {
		some = t.serve(c, socket.Event{Readable: true}) || some
	}
	for _, e := range events {
		t.mu.Lock()
		c := t.conns[e.Token]
		t.mu.Unlock()
		if t.serve(c, e) {
			some = true
			t.favour(c)
		}
	}
	clear(pending)
	t.served = pending
	t.note()
	return some, nil
}

// note tells those who wait whether there is more to read.
func (t *Transport) note() {
	if more := len(t.again) > 0; more != t.more.Load() {
		t.more.Store(more)
		if more {
			t.poller.Wake() // who waits already, and may not wait for that
		}
	}
}

// After so many events in a row that were its own, and answers to what we had sent, a connection
// is the favourite: one who looks again and again reads it without asking the poller, which is
// asked at each so many looks only. Before anybody waits it is again: what the favourite has had
// read is not told twice. A peer that sends without being answered is better left alone until
// there is more to read.
const (
	favoured  = 16
	pollEvery = 8
)

// favour takes in that a connection had something to read.
func (t *Transport) favour(c *conn) {
	if answer := c.asked.Swap(false); c != t.latest || !answer {
		t.latest, t.inARow = c, 0
	}
	if t.inARow++; t.inARow >= favoured {
		t.favourite.Store(c)
	} else if t.favourite.Load() != nil {
		t.favourite.Store(nil)
	}
}

// serve handles one event of a connection, which it adds to again if it has more to
// read, and reports whether anything came of it.
func (t *Transport) serve(c *conn, e socket.Event) (some bool) {
	t.mu.Lock()
	if c.phase != open {
		t.mu.Unlock()
		return false
	}
	resumed := e.Writable && t.writable(c)
	if !e.Readable || c.ended || c.phase != open {
		t.unlock()
		return resumed
	}
	c.reading = true
	t.unlock()
	some, more, err := t.read(c, e.Hangup)
	t.mu.Lock()
	defer t.unlock()
	c.reading = false
	if err != nil {
		t.lost(c, err)
	}
	t.retire(c)
	if more && c.phase == open {
		t.again = append(t.again, c)
	}
	return some || resumed || err != nil
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
