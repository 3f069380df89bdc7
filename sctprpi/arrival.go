package sctprpi

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// frames handles a piece of a message, which is one frame or several coalesced ones. It leaves the lock while much is copied.
func (t *Transport) frames(p *peer, e *socket.Event) error {
	r := p.partial[e.Stream]
	switch {
	case e.Unordered || e.Broken:
		return fmt.Errorf("%w: a message unordered or given up", associations.ErrViolation)
	case e.Begin == (r != nil):
		return fmt.Errorf("%w: pieces of messages out of order", associations.ErrViolation)
	}
	if r == nil {
		r = t.pools.readers.Take()
	}
	if err := t.Layer.Take(p.Rank, r, e.Payload); err != nil {
		return err
	}
	switch {
	case !e.End && e.Begin:
		if p.partial == nil {
			p.partial = make(map[socket.StreamID]*progression.Reader)
		}
		p.partial[e.Stream] = r
		return nil
	case !e.End:
		return nil
	case r.Begun():
		return fmt.Errorf("%w: a frame ends %d bytes too early", associations.ErrViolation, r.Missing())
	}
	if !e.Begin {
		delete(p.partial, e.Stream)
	}
	t.pools.putReader(r)
	return nil
}
