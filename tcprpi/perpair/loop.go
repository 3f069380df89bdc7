package perpair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// inside is the transport as those see it who move its messages.
type inside struct{ *Transport }

// Wait implements progress.Network.
func (t inside) Wait(ctx context.Context) error {
	if t.favourite.Store(nil); t.more.Load() {
		return nil
	}
	return t.poller.Wait(ctx)
}

// Block implements progress.Network.
func (t inside) Block() error {
	if t.favourite.Store(nil); t.more.Load() {
		return nil
	}
	return t.poller.Block()
}

// Release implements progress.Network.
func (t inside) Release() {
	t.mu.Lock()
	t.layer.Agenda.Release()
	t.unlock()
}

// Wake implements progress.Network.
func (t inside) Wake() { t.poller.Wake() }

// Rouse implements progress.Rouser.
func (t inside) Rouse() { t.poller.Rouse() }

// Poll implements progress.Network: it reads what has arrived and resumes writes.
func (t inside) Poll() (bool, error) {
	t.progress.Lock()
	defer t.progress.Unlock()
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
	var errno syscall.Errno
	switch {
	case errors.Is(err, io.EOF) && t.layer.Failed(c.peer) != nil: // it has said Bye
		c.ended = true
		t.changed.Broadcast()
		return
	case errors.Is(err, io.EOF):
		err = t.clock.Explain(errors.New("it closed the connection without finalizing: it has ended or was killed"))
	case errors.As(err, &errno):
		err = t.clock.Explain(fmt.Errorf("the connection with it broke: %w", err))
	}
	t.fail(c, err)
}
