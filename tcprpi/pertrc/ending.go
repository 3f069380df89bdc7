package pertrc

import (
	"errors"
	"fmt"
	"io"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// weigh finds out whether the body of a message from a dead peer is there. If
// it is not, it never will be.
func (t *Transport) weigh(c *incoming) {
	c.reading, c.again = true, false
	t.leave()
	n, err := socket.Waiting(c.fd)
	t.enter()
	c.reading = false
	if c.wanted {
		return
	}
	c.whole = err == nil && uint64(n) >= c.head.Length
	c.doomed = !c.whole
}

// brokenIn notes that a connection gives nothing more: because its sender
// has closed it between two messages, or because it is broken.
func (t *Transport) brokenIn(c *incoming, err error) {
	c.doomed = true
	switch {
	case errors.Is(err, io.EOF) && c.head == nil && c.have == 0 || c.peer.failed != nil:
		t.cut(c)
		return
	case errors.Is(err, io.EOF):
		err = errors.New("it ended within a message")
	case errors.Is(err, rpi.ErrIntern):
		t.fail(c.peer, err, true)
		return
	}
	t.connectionLost(c.peer, fmt.Errorf("the connection from it for %v broke: %w", c.key, err))
}

// cut closes a connection that no goroutine reads at this time, and ends what depended on the rest
// of it.
func (t *Transport) cut(c *incoming) {
	p := c.peer
	if m := c.head; m != nil {
		c.head = nil
		t.lose(m)
	}
	t.closeLater(c.fd, c.token)
	c.fd = -1
	t.allotted.in--
	t.allotted.idleIn.remove(&c.idle)
	t.uncork(c)
	t.succeed(c)
	if p.failed != nil {
		t.attend(p)
	}
	t.vacancy()
}

// succeed puts the next connection of the TRC in the place of one that has
// ended.
func (t *Transport) succeed(c *incoming) {
	p, next := c.peer, c.successor
	if next == nil {
		delete(p.in, c.key)
		p.dropRetractions(c.key)
		return
	}
	p.in[c.key] = next
	next.queued = false
	if !next.begun {
		next.begun, next.lastSeq = c.begun, c.lastSeq
	}
	t.attend(next)
}

// unlink takes a connection that was never in use out of its TRC's.
func (t *Transport) unlink(c *incoming) {
	if first := c.peer.in[c.key]; first == c {
		t.succeed(c)
	} else {
		for first.successor != c {
			first = first.successor
		}
		first.successor = c.successor
	}
	if c.peer.failed != nil {
		t.attend(c.peer)
	}
	t.vacancy()
}

func violation(format string, args ...any) error {
	return fmt.Errorf("%w: it broke the protocol: %s", rpi.ErrIntern, fmt.Sprintf(format, args...))
}
