package core

import (
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// failure is the error of r, which has failed, in terms of the communicator.
func (c *Comm) failure(op string, r *rpi.Request) *mpierr.Error {
	var (
		other *rpi.TypeError
		gone  *rpi.PeerError
		lost  *rpi.UndeliverableError
		hurt  *changedError
		from  = c.message(r.Status)
	)
	e := mpierr.Wrap(op, r.Err)
	switch {
	case c.process.failures.Expelled() && (e.Class == rpi.ErrClosed || e.Class == rpi.ErrProcFailed):
		return c.process.failures.Outside(op)
	case errors.As(r.Err, &other):
		e.Rank = from.Source
		sent, wanted := datatype.Signature(other.Sent), typeOf(r)
		e.Detail = fmt.Sprintf("%s of %v from rank %d with tag %d cannot be received as %s%s",
			lengthOf(from), sent, from.Source, from.Tag, wanted.Name(), hint(sent, wanted, from.Count, from.Bytes))
	case errors.As(r.Err, &gone):
		c.process.peerFailed(gone.Peer)
		e.Rank = c.rankOf(gone.Peer)
		e.Detail = fmt.Sprintf("%s: %s is gone: %v", c.describe(r), c.name(gone.Peer), gone.Cause)
	case errors.As(r.Err, &lost):
		e.Rank = c.rankOf(lost.Peer)
		e.Detail = fmt.Sprintf("%s: %s has called Finalize without receiving this message", c.describe(r), c.name(lost.Peer))
	case errors.As(r.Err, &hurt):
		e.Detail = c.describe(r) + c.unnamed() + hurt.Error()
	case e.Class == rpi.ErrTruncate && r.Elem > 0:
		e.Rank = from.Source
		e.Detail = fmt.Sprintf("%s of %v from rank %d with tag %d exceed the buffer of %d",
			lengthOf(from), datatype.Signature(r.Type), from.Source, from.Tag, len(r.Buf)/r.Elem)
	default:
		if e.Class == rpi.ErrProcFailed {
			c.process.peerFailed(matching.AnySource)
			if dead := c.failures.Failed(); len(dead) > 0 { // it was to be from any source
				e.Rank = c.rankOf(dead[0])
			}
		}
		e.Detail = c.describe(r) + ": " + e.Detail
	}
	return e
}

// lengthOf is how many elements a message has.
func lengthOf(s Status) string {
	if s.Count == Undefined {
		return mpierr.Plural(s.Bytes, "byte")
	}
	return mpierr.Plural(s.Count, "element")
}

// givenUp is the error of r, which was cancelled because its caller would not
// wait any longer.
func (c *Comm) givenUp(op string, r *rpi.Request, cause error) *mpierr.Error {
	return mpierr.Because(cause, op, rpi.ErrCancelled, "%s given up: %v", c.describe(r), cause)
}

// describe says what r was to do.
func (c *Comm) describe(r *rpi.Request) string {
	to, peer := "from", "any rank"
	if r.Op == rpi.OpSend {
		to = "to"
	}
	if r.Peer != matching.AnySource {
		peer = c.name(r.Peer)
	}
	switch {
	case r.Context&collective.Messages != 0:
		return fmt.Sprintf("%v %s %s%s", r.Op, to, peer, c.called())
	case r.Tag == matching.AnyTag:
		return fmt.Sprintf("%v %s %s with any tag%s", r.Op, to, peer, c.called())
	}
	return fmt.Sprintf("%v %s %s with tag %d%s", r.Op, to, peer, r.Tag, c.called())
}

// name names a process by its rank in the communicator, and by that in the
// job if it is another.
func (c *Comm) name(job matching.Rank) string {
	if rank := c.rankOf(job); rank == int(job) {
		return fmt.Sprintf("rank %d", rank)
	} else if rank >= 0 {
		return fmt.Sprintf("rank %d (%d of the job)", rank, job)
	}
	return fmt.Sprintf("rank %d of the job", job)
}

// undecided is the error of r, a receive from any source that is still open, when failure.State.Interrupted has returned cause.
func (c *Comm) undecided(op string, r *rpi.Request, cause error) error {
	gone, _ := errors.AsType[*rpi.PeerError](cause)
	return mpierr.Because(nil, op, rpi.ErrProcFailedPending, "%s is pending: %s is gone: %v", c.describe(r), c.name(gone.Peer), gone.Cause).
		About(c.rankOf(gone.Peer))
}
