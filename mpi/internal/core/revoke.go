package core

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Revoke ends the use of the communicator on all its processes. It does not wait for them.
func (c *View) Revoke() error {
	const op = "mpi.Comm.Revoke"
	if err := c.usable(op); err != nil {
		return err
	}
	c.failures.Revoke()
	return nil
}

// Revoked reports whether this process knows that the communicator has been revoked.
func (c *View) Revoked() bool { return !c.Null() && c.Comm.Revoked() }

// Revoked implements collective.Communicator.
func (c *Comm) Revoked() bool { return c.failures.Revoked() }

// revoke ends the use of the communicator's contexts here: see failure.State.Revoke. It must not be released meanwhile: what the transport
// keeps of a context that is revoked ends with its release.
func (c *Comm) revoke() {
	if !c.hold() {
		return
	}
	defer c.release()
	t := c.process.transport
	for _, id := range []matching.Context{c.context, c.context | collective.Messages, c.context | rpi.Internal, c.context | announcements} {
		t.Revoke(id)
	}
	for _, id := range c.kept.contexts() {
		t.Revoke(id)
		t.Revoke(id | collective.Messages)
	}
	c.parts.mu.Lock()
	var parts []matching.Context
	for id := range c.parts.others {
		parts = append(parts, id)
	}
	c.parts.mu.Unlock()
	for _, id := range parts {
		t.Revoke(id)
	}
}

// revokeLate revokes contexts that the communicator has got since it was revoked, if it was: those of before revoke has seen. The caller
// has noted them where revoke looks, and holds no lock, as what follows operations runs here.
func (c *Comm) revokeLate(contexts ...matching.Context) {
	if !c.Revoked() {
		return
	}
	for _, id := range contexts {
		c.process.transport.Revoke(id)
	}
}

// refused is the error of a collective operation on a communicator that has been revoked, nil if it has not. Those that end the use of
// the communicator, or of the process, begin all the same.
func (c *Comm) refused(r collective.Routine) error {
	if !c.Revoked() || r == collective.Free || r == collective.Finalize {
		return nil
	}
	return mpierr.Invalid(r.Op(), rpi.ErrRevoked, "%s has been revoked: go on with what Shrink makes of it", c.title())
}

// contexts are those of persistent operations.
func (k *keptSpaces) contexts() []matching.Context {
	k.mu.Lock()
	defer k.mu.Unlock()
	ids := make([]matching.Context, len(k.spaces))
	for i, s := range k.spaces {
		ids[i] = s.id
	}
	return ids
}
