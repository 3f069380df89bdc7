package perpair

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// Queued implements progression.Link; the lock is held.
func (t *Transport) Queued(show func(f *progression.Frame)) {
	for _, c := range t.conns {
		if c == nil {
			continue
		}
		for f := c.send.Head(); f != nil; f = f.Next {
			show(f)
		}
	}
}

// Connected implements progression.Link; the lock is held.
func (t *Transport) Connected(peer matching.Rank) bool {
	c := t.conns[peer]
	return c != nil && (c.phase == open || c.phase == gone)
}
