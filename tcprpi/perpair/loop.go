package perpair

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// inside is the transport as its driver sees it.
type inside struct{ *Transport }

// Rest implements driver.Network.
func (t inside) Rest(bool) (deadline time.Time, ready bool) {
	t.lastResponder.Store(nil)
	return deadline, t.more.Load()
}

// Resume implements driver.Network.
func (t inside) Resume() {}

// Descriptor implements driver.Network.
func (t inside) Descriptor() int { return t.watcher.Descriptor() }

// Release implements driver.Network.
func (t inside) Release() {
	t.Flush()
}

// Poll implements driver.Network: it reads what has arrived and resumes writes.
func (t inside) Poll() (bool, error) {
	t.life.Progress.Lock()
	defer t.life.Progress.Unlock()
	events, err := t.watcher.Poll()
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
		t.Lock.Lock()
		c := t.conns[e.Token]
		t.Lock.Unlock()
		if t.serve(c, e) {
			some = true
			t.answered(c)
		}
	}
	clear(pending)
	t.served = pending
	t.note()
	return some, nil
}

// note says whether there is more to read.
func (t *Transport) note() {
	if more := len(t.again) > 0; more != t.more.Load() {
		t.more.Store(more)
		if more {
			t.driver.Wake() // a goroutine that rests does not know
		}
	}
}

// serve handles one event of a connection, which it adds to again if it has more to
// read, and reports whether anything came of it.
func (t *Transport) serve(c *conn, e socket.Event) (some bool) {
	t.Lock.Lock()
	if c.phase != open {
		t.Lock.Unlock()
		return false
	}
	resumed := e.Writable && t.writable(c)
	reads := e.Readable && !c.ended
	c.reading = reads
	t.Lock.Unlock()
	if !reads {
		return resumed
	}
	some, more, err := t.read(c, e.Hangup)
	t.Lock.Lock()
	defer t.Lock.Unlock()
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

// lost handles the end of a stream, orderly or not.
func (t *Transport) lost(c *conn, err error) {
	var errno syscall.Errno
	ended := true // the peer's end, or the system, and not what has come
	switch {
	case errors.Is(err, io.EOF) && t.Layer.Failed(c.peer) != nil: // it has said Bye
		c.ended = true
		t.life.Changed()
		return
	case errors.Is(err, io.EOF):
		err = t.watch.Explain(errors.New("it closed the connection without finalizing: it has ended or was killed"))
	case errors.As(err, &errno):
		err = t.watch.Explain(fmt.Errorf("the connection with it broke: %w", err))
	case errors.Is(err, record.ErrChanged):
		err, ended = fmt.Errorf("the connection with it broke: %w", err), false
	default:
		ended = false
	}
	if !ended || t.watch.Paused() == 0 || t.life.Over || t.Layer.Failed(c.peer) != nil {
		t.fail(c, err)
		return
	}
	c.ended = true
	t.life.Go(func() { t.inquire(c, err) })
}
