package core

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Special ranks, tags and colors, as package mpi explains them.
const (
	AnySource = -1
	AnyTag    = -1
	ProcNull  = -2
	Undefined = mpierr.NoRank
	MaxTag    = 1<<31 - 1
)

// Status tells what a receive or probe got. A face has a type of its own with
// the same fields, and converts.
type Status struct {
	Source, Tag  int
	Count, Bytes int
	Cancelled    bool
}

// Statuses without a message: of an operation with ProcNull (section 3.10)
// and of an inactive request (section 3.7.3).
var (
	nullStatus  = Status{Source: ProcNull, Tag: AnyTag}
	EmptyStatus = Status{Source: AnySource, Tag: AnyTag}
)

// status translates the outcome of r, which has completed.
func (c *Comm) status(r *rpi.Request) Status {
	switch {
	case r.Peer == procNull && r.Op != rpi.OpSend:
		return nullStatus
	case r.Op == rpi.OpSend:
		return Status{Cancelled: r.Status.Cancelled}
	case r.Status.Cancelled || r.Err != nil && r.Status.Elem == 0 && r.Status.Length == 0:
		return Status{Source: AnySource, Tag: AnyTag, Cancelled: r.Status.Cancelled}
	}
	return c.message(r.Status)
}

// message translates the status of a message.
func (c *Comm) message(s rpi.Status) Status {
	count := 0
	if s.Elem > 0 {
		count = int(s.Length / uint64(s.Elem))
	}
	return Status{Source: c.rankOf(s.Source), Tag: int(s.Tag), Count: count, Bytes: int(s.Length)}
}

// procNull is ProcNull in requests, which then never reach the transport.
const procNull = matching.Rank(ProcNull)
