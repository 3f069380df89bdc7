package pertrc

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/internal/trc"
)

// errCut: the peer has accepted a connection, and then it has ended.
var errCut = errors.New("it was cut")

// failures are attempts to make connections to a peer that have failed in their handshake, by number. The peer may have accepted
// them, and tell that they have ended, which means nothing.
type failures struct{ numbers []uint32 }

// maxFailures bounds them. The peer tells at once, or not at all.
const maxFailures = 256

func (f *failures) add(number uint32) {
	if len(f.numbers) == maxFailures {
		f.numbers = slices.Delete(f.numbers, 0, 1)
	}
	f.numbers = append(f.numbers, number)
}

// remove reports whether an attempt is among them.
func (f *failures) remove(number uint32) bool {
	i := slices.Index(f.numbers, number)
	if i >= 0 {
		f.numbers = slices.Delete(f.numbers, i, i+1)
	}
	return i >= 0
}

// heardOfCut takes in that a connection of this process, which a peer has accepted, has ended before the peer had the confirmation. If
// this process does not use it yet, it makes another. If it does, or did, what it has sent is lost.
func (t *Transport) heardOfCut(p *peer, number uint32) error {
	switch {
	case p.failures.remove(number):
		return nil
	case number == 0 || number > t.attempts:
		return trc.Violation("connection %d has ended, which was never made", number)
	case number == p.trying:
		p.cut = true
		return nil
	}
	for _, c := range p.controls {
		if c.number == number {
			t.controlCut(c)
			return nil
		}
	}
	for o := range p.outgoing() {
		if o.number == number && o.phase == dialing {
			o.cut = true
			return nil
		}
	}
	t.connectionLost(p, fmt.Errorf("a connection to it for messages was cut on the way: %w", errCut))
	return nil
}

// controlCut takes in the same of a control connection that this process uses. If nothing has been said on it, nothing is lost: this process
// speaks on the one that the peer has made.
func (t *Transport) controlCut(c *control) {
	p := c.peer
	c.end()
	if c != p.control {
		return
	}
	other := slices.IndexFunc(p.controls, func(c *control) bool { return !c.ended })
	if c.spoke || c.Sending() || other < 0 {
		t.connectionLost(p, fmt.Errorf("the control connection to it was cut on the way: %w", errCut))
		return
	}
	p.control = p.controls[other]
	p.outbox, c.out = slices.Concat(c.out, p.outbox), nil
	t.attend(p.control)
}
