package core

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
)

// Self is the communicator of this process alone; nil if c is the null communicator.
func (c *View) Self() *Comm {
	if c.Null() {
		return nil
	}
	p := c.process
	p.selfOnce.Do(func() {
		self, name := newComm(p, p.newContext(), group.Of([]matching.Rank{matching.Rank(p.rank)})), "self"
		self.object.name.Store(&name)
		p.self.Store(self)
	})
	return p.self.Load()
}

// forget deletes the attributes of the communicators that end with the process (MPI 4.1, section 11.2.4): first those of
// the one of this process alone.
func (p *process) forget(world *Comm) error {
	var errs []error
	for _, c := range []*Comm{p.self.Load(), world} {
		if c != nil {
			errs = append(errs, refused("mpi.Finalize", c.object.attributes.Clear(c)))
		}
	}
	return errors.Join(errs...)
}
