package core

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Form is how a collective operation is called: see package mpi.
type Form = collective.Form

// The forms of a collective operation. Blocking ones wait, and return no Request; that of Persistent ones is started by
// Request.Start.
const (
	Blocking    = collective.Blocking
	Nonblocking = collective.Nonblocking
	Persistent  = collective.Persistent
)

// begin begins a collective operation with elements of one type. It takes the number of the call even if
// the operation then fails because of its arguments, so that the next calls of all ranks still belong together.
func (c *View) begin(r collective.Routine, f Form, t *Type) (*collective.Operation, error) {
	return c.beginOf(r, f, t, elements(t))
}

func (c *View) beginOf(r collective.Routine, f Form, t *Type, e collective.Elements) (*collective.Operation, error) {
	if err := c.usable(r.Op()); err != nil {
		return nil, err
	}
	if err := c.refused(r); err != nil {
		return nil, err
	}
	if c.Inter() && !(int(r) < len(onBoth) && onBoth[r]) {
		return nil, c.Intra(r.Op())
	}
	o, err := c.collectives.Begin(r, e, f)
	if err != nil {
		return nil, err
	}
	if err := t.Err(); err != nil {
		o.Require(Wrong(o.Op(), err))
	}
	if f == Persistent {
		o.Require(c.process.full(o.Op()))
	}
	return o, nil
}

// launch runs the operation, whose schedule has been built if it has not failed. Blocking has no Request.
func (c *View) launch(f Form, o *collective.Operation) (*Request, error) {
	switch {
	case f == Blocking || o.Err() != nil:
		return nil, o.Do(c.ctx)
	case f == Persistent:
		return c.keep(o)
	}
	if c.process.watches {
		return c.launchWatched(o), nil
	}
	return c.NewRequest(o.Op(), o.Start(), (*collectiveWork)(o)), nil
}

// Refuse makes the call of a collective operation whose arguments the caller has found wrong: a face, which checks what core does
// not see. The call fails on all ranks, with this class and text here.
func (c *View) Refuse(r collective.Routine, f Form, class rpi.Class, text string) {
	o, err := c.begin(r, f, noType)
	if err != nil {
		return // other ranks cannot tell either that there was a call
	}
	o.Require(mpierr.Invalid(o.Op(), class, "%s", text))
	o.Agree(0, 0, 0)
	_ = o.Do(c.ctx) // the error is the caller's own
}

// collectiveWork is the Work of a collective operation.
type collectiveWork collective.Operation

func (w *collectiveWork) operation() *collective.Operation { return (*collective.Operation)(w) }

// Outcome implements Work.
func (w *collectiveWork) Outcome() (Status, error) { return EmptyStatus, w.operation().Outcome() }

// Cancel implements Work.
func (w *collectiveWork) Cancel(op string) error {
	return mpierr.Invalid(op, rpi.ErrRequest, "a collective operation cannot be cancelled (MPI 4.1, section 6.12)")
}

// Release implements Work.
func (w *collectiveWork) Release() { w.operation().Release() }

// rooted checks the root of a collective operation.
func (c *Comm) rooted(o *collective.Operation, root int) {
	if root < 0 || root >= c.group.Size() {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrRoot, "root %d is not in a communicator of %s", root, mpierr.Plural(c.group.Size(), "rank")))
	}
}

// The following are what package collective asks of a communicator.

// JobRank translates a rank.
func (c *Comm) JobRank(rank int) matching.Rank { return c.members().Member(rank) }

// members are all processes of the communicator, those of both groups if there are two.
func (c *Comm) members() *group.Group {
	if c.union != nil {
		return c.union
	}
	return c.group
}

// RankOf translates a rank of the job.
func (c *Comm) RankOf(job matching.Rank) int { return c.rankOf(job) }

// PeerName names a process in errors.
func (c *Comm) PeerName(job matching.Rank) string { return c.name(job) }

// Failure is the error of r, which has failed.
func (c *Comm) Failure(op string, r *rpi.Request) *mpierr.Error { return c.failure(op, r) }

// Elsewhere is the error of an operation that has failed at another process: see elsewhere.
func (c *Comm) Elsewhere(op string, class mpierr.Class, origin, by matching.Rank) *mpierr.Error {
	return c.elsewhere(op, class, origin, by)
}

// GivenUp is the error of r, which was cancelled because of cause.
func (c *Comm) GivenUp(op string, r *rpi.Request, cause error) *mpierr.Error {
	return c.givenUp(op, r, cause)
}
