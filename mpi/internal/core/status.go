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

// Status tells what a receive or probe got. Count is in elements as a program of the receive's type counts them, and after a
// probe or an error as one of the sender's; it is Undefined if that does not divide Bytes. A face has a type of its own with
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
	case r.Op == rpi.OpSend:
		return Status{Cancelled: r.Status.Cancelled}
	case r.Peer == procNull:
		return nullStatus
	case r.Status.Cancelled || r.Err != nil && r.Status.Elem == 0 && r.Status.Length == 0:
		return Status{Source: AnySource, Tag: AnyTag, Cancelled: r.Status.Cancelled}
	case r.Op == rpi.OpRecv && r.Err == nil:
		return c.counted(&r.Status, r.Elem)
	}
	return c.message(r.Status)
}

// message translates the status of a message. Its elements are those of the sender.
func (c *Comm) message(s rpi.Status) Status { return c.counted(&s, int(s.Elem)) }

// counted translates the status of a message with elements of size bytes.
func (c *Comm) counted(s *rpi.Status, size int) Status {
	return Status{Source: c.peers.Rank(s.Source), Tag: int(s.Tag), Count: quotient(s.Length, size), Bytes: int(s.Length)}
}

// quotient is how many elements of size bytes a message has, Undefined if it ends within one or the size is not known.
func quotient(length uint64, size int) int {
	switch {
	case length == 0:
		return 0
	case size == 0 || length%uint64(size) != 0:
		return Undefined
	}
	return int(length / uint64(size))
}

// Elements is how many basic elements a message has that was received as type t, Undefined if it ends within one
// (MPI_Get_elements).
func (s Status) Elements(t *Type) int {
	if n, ok := t.BasicElements(int64(s.Bytes)); ok {
		return int(n)
	}
	return Undefined
}

// procNull is ProcNull in requests, which then never reach the transport.
const procNull = matching.Rank(ProcNull)
