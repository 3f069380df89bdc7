package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Special ranks, tags and colors.
const (
	// AnySource lets a receive or probe take a message from any rank.
	AnySource = -1
	// AnyTag lets a receive or probe take a message with any tag.
	AnyTag = -1
	// ProcNull is the rank of no process: sends to it and receives from it
	// complete at once and do nothing (MPI 4.1, section 3.10).
	ProcNull = -2
	// Undefined as color of Split means: in no new communicator. As the
	// source in a Status it means a process outside the communicator; as Count, that
	// the message ends within an element.
	Undefined = -3
	// MaxTag is the largest tag (MPI_TAG_UB).
	MaxTag = 1<<31 - 1
)

// Status tells what a receive or probe got (MPI 4.1, section 3.2.5). After a
// send only Cancelled means something. The status of an operation with
// ProcNull, and of waiting for nothing, has no elements and the wildcard tag.
type Status struct {
	// Source is the sender's rank in the communicator.
	Source int
	// Tag is the message's tag.
	Tag int
	// Count is the length of the message in elements: of the receive's type if it
	// was received, of the sender's after a probe, and if it does not fit. It is
	// Undefined if the message ends within an element.
	Count int
	// Bytes is the same in bytes.
	Bytes int
	// Cancelled: Request.Cancel was in time, nothing was transferred.
	Cancelled bool
}

// emptyStatus is the status of an inactive request (section 3.7.3).
var emptyStatus = Status(core.EmptyStatus)
