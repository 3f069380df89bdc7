package pertrc

import (
	"errors"
	"fmt"
	"io"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// weigh finds out whether the body of a message from a dead peer is there. If
// it is not, it never will be.
func (t *Transport) weigh(c *incoming) {
	c.reading, c.again = true, false
	t.leave()
	n, err := c.stream.Waiting()
	t.enter()
	c.reading = false
	unread, ok := c.Unread()
	if !ok {
		return
	}
	c.whole = err == nil && uint64(n) >= unread
	c.doomed = !c.whole
}

// brokenIn notes that a connection gives nothing more: because its sender
// has closed it between two messages, or because it is broken.
func (t *Transport) brokenIn(c *incoming, err error) {
	c.doomed = true
	switch {
	case err == io.EOF && c.Idle() || t.failed(c.peer) != nil: // record.ErrCut is another end
		t.cut(c)
		return
	case err == io.EOF:
		err = errors.New("it ended within a message")
	case errors.Is(err, rpi.ErrIntern):
		t.fail(c.peer, err, true)
		return
	}
	t.connectionLost(c.peer, fmt.Errorf("the connection from it for %v broke: %w", c.Key, err))
}

// cut closes a connection that no goroutine reads at this time, and ends what depended on the rest
// of it.
func (t *Transport) cut(c *incoming) {
	t.closeLater(c.fd, c.token)
	c.fd = -1
	t.allotted.in--
	c.idle.Remove()
	t.unlink(c)
}

// unlink takes a connection on which nothing more comes out of its TRC's.
func (t *Transport) unlink(c *incoming) {
	if c.Unnamed {
		c.spare.Remove()
		t.layer.Leave(&c.Incoming)
	} else if next := t.layer.End(&c.Incoming); next != nil {
		own := next.Channel.(*incoming)
		own.queued = false
		if err := t.advance(own, 0); err != nil { // its first message may be there
			t.fail(own.peer, err, true)
		}
		t.attend(own)
	}
	if t.failed(c.peer) != nil {
		t.attend(c.peer)
	}
	t.vacancy()
}
