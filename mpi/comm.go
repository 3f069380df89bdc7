package mpi

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// Comm is a communicator: an ordered group of processes and a space of
// messages of its own (MPI 4.1, section 7.2). Get the first from Init, Run or
// RunLocal, others from Dup, Split, Create and the like.
//
// All methods, and all functions that take a Comm, may be called from many
// goroutines at once (MPI_THREAD_MULTIPLE; section 11.6), with one exception
// that MPI makes too: the collective operations on one communicator must be
// called one after the other, in the same order by all ranks. One that waits and
// begins while another such one is under way returns ErrComm.
type Comm struct{ view core.View }

// Rank is the rank of this process in the communicator, from 0
// (MPI_COMM_RANK); Undefined if c is nil, as Split returns it to some.
func (c *Comm) Rank() int { return c.core().Rank() }

// Size is the number of processes of the communicator (MPI_COMM_SIZE); 0 if c
// is nil.
func (c *Comm) Size() int { return c.core().Size() }

// Transport is the name of the transport that carries the messages, with "shm + " before it once this
// process shares memory with peers of its host; empty if c is nil.
func (c *Comm) Transport() string { return c.core().Transport() }

// Usage is what messages have cost this process so far: see Comm.Usage.
type Usage struct {
	// Sockets is the number of open sockets, without those that listen.
	Sockets int
	// SystemCalls is the number of system calls made so far to move messages, to wait for them, and
	// to make connections.
	SystemCalls uint64
	// Held is how many bytes of messages have arrived that no receive has taken, some with their
	// bookkeeping: those in the library, and in a socket that is part of the process. What the kernel's
	// buffers hold is not known.
	Held int
	// SharedPeers is with how many peers memory is shared: messages with those take no socket. Shared is
	// the memory for it that this process has made, in bytes.
	SharedPeers, Shared int
	// Waited is how long calls have waited for messages and looked for them, the sum over the goroutines that did. Waits that
	// go on do not count, nor do calls that found at once what they wanted.
	Waited time.Duration
	// Blocked is the part of it in which they had given up their processor, until they had one again. In the rest they looked.
	Blocked time.Duration
	// Chunks is how many DATA chunks (RFC 9260, section 3.3.1) have been sent over the associations that there are, and Resent
	// how many of them once more. Only transports over SCTP have them.
	Chunks, Resent uint64
	// Streams is how many streams have carried messages of this process, the sum over its associations. Stream 0, which has
	// control, does not count. Only transports over SCTP have them.
	Streams int
}

// Usage returns what the transport takes of the operating system, to compare transports. It
// stands for MPI's performance variables (MPI 4.1, section 15.3.7). All is 0 if c is nil or
// the transport does not count.
func (c *Comm) Usage() Usage { return Usage(c.core().Usage()) }

// WithContext returns a view of c whose blocking operations give up when ctx
// ends. It is the same communicator: ranks, messages and the order of
// collectives are shared.
//
// An operation that gives up before its message was matched returns an error
// of class ErrCancelled that wraps the cause, and nothing was transferred. If
// it is too late for that, the operation runs to its end and returns its own
// result. So a message is never lost or half cancelled.
//
// A collective that gives up has no result on this rank, and fails with
// ErrCancelled on the ranks that depend on this one's part. Some ranks may
// have their result, as after any other failure. All ranks must call it
// nevertheless, and may go on with the next one.
//
// Communicators made through a view, and requests started through it, do not
// inherit ctx: Request.Wait has its own.
func (c *Comm) WithContext(ctx context.Context) *Comm {
	if c.core().Null() {
		return c
	}
	return &Comm{c.view.View(ctx)}
}

// SetName gives the communicator a name, on this rank (MPI_COMM_SET_NAME; section 7.8): errors and reports of ranks that wait
// have it. It has at most 127 bytes (ErrArg).
func (c *Comm) SetName(name string) error { return public(c.core().SetName(name)) }

// Name is the name that SetName has given (MPI_COMM_GET_NAME; section 7.8); empty if there is none, or c is nil.
func (c *Comm) Name() string { return c.core().Name() }

// Compare tells whether two communicators are Identical, Congruent, Similar or Unequal (MPI_COMM_COMPARE; section 7.4.1). A
// view made by WithContext is identical to its communicator.
func (c *Comm) Compare(d *Comm) (Comparison, error) {
	result, err := c.core().Compare(d.core())
	return Comparison(result), public(err)
}
