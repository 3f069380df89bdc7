package perpair

import (
	"errors"
	"fmt"
	"io"
)

// loop is the event loop: it reads what arrives and resumes writes.
func (t *Transport) loop() {
	var again []*conn // connections that may have more to read
	for {
		events, err := t.poller.wait(len(again) == 0)
		if err != nil {
			return // closed
		}
		pending := again
		again = nil
		for _, c := range pending {
			if t.serve(c, event{readable: true}) {
				again = append(again, c)
			}
		}
		for _, e := range events {
			t.mu.Lock()
			c := t.conns[e.peer]
			t.mu.Unlock()
			if t.serve(c, e) {
				again = append(again, c)
			}
		}
	}
}

// serve handles one event of a connection, and reports whether it has more to
// read.
func (t *Transport) serve(c *conn, e event) (more bool) {
	t.mu.Lock()
	if c.phase != open {
		t.mu.Unlock()
		return false
	}
	if e.writable {
		t.writable(c)
	}
	if !e.readable || c.ended || c.phase != open {
		t.unlock()
		return false
	}
	c.reading = true
	t.unlock()
	more, err := t.read(c, e.hangup)
	t.mu.Lock()
	defer t.unlock()
	c.reading = false
	if err != nil {
		t.lost(c, err)
	}
	t.retire(c)
	return more && c.phase == open
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
