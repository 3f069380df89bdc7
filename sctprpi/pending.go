package sctprpi

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// Queued implements progression.Link; the lock is held.
func (t *Transport) Queued(show func(f *progression.Frame)) {
	for _, p := range t.peers {
		if p == nil {
			continue
		}
		for f := p.queue.Head(); f != nil; f = f.Next {
			show(f)
		}
		for _, x := range p.lent {
			show(x.frame)
		}
	}
}

// Connected implements progression.Link; the lock is held.
func (t *Transport) Connected(peer matching.Rank) bool {
	p := t.peers[peer]
	return p != nil && (p.phase == open || p.phase == gone)
}
