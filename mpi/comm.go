package mpi

import (
	"context"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Comm is a communicator: an ordered group of processes and a space of
// messages of its own (MPI 4.1, section 7.2). Get the first from Init, Run or
// RunLocal, others from Dup and Split.
//
// All methods, and all functions that take a Comm, may be called from many
// goroutines at once (MPI_THREAD_MULTIPLE; section 11.6), with one exception
// that MPI makes too: the collective operations on one communicator must be
// called one after the other, in the same order by all ranks. A collective that
// begins while another one is under way returns ErrComm.
type Comm struct {
	*communicator
	ctx context.Context
}

// communicator is what all views of a communicator share.
type communicator struct {
	process *process
	// context separates the point-to-point messages of this communicator from
	// all others; context|collective is that of its collectives.
	context matching.Context
	rank    int
	group   group

	calls atomic.Uint32 // collective calls so far
	busy  atomic.Bool   // a collective is under way
	post  post
	freed atomic.Bool
	// refs counts the requests that are not known to be complete, plus one
	// until Free; the last one releases the contexts.
	refs atomic.Int64
	// made is where it was made: the call stack.
	made []uintptr
}

const collective = rpi.InOrder

func newComm(p *process, id matching.Context, rank int, g group) *Comm {
	c := &communicator{process: p, context: id, rank: rank, group: g}
	c.refs.Store(1)
	if g.job != nil {
		p.transport.Scope(id, g.job)
	}
	c.post.open(c)
	p.enlist(c)
	return &Comm{communicator: c, ctx: context.Background()}
}

// Rank is the rank of this process in the communicator, from 0
// (MPI_COMM_RANK); Undefined if c is nil, as Split returns it to some.
func (c *Comm) Rank() int {
	if c.null() {
		return Undefined
	}
	return c.rank
}

// Size is the number of processes of the communicator (MPI_COMM_SIZE); 0 if c
// is nil.
func (c *Comm) Size() int {
	if c.null() {
		return 0
	}
	return c.group.size
}

// Transport is the name of the transport that carries the messages, with "shm + " before it once this
// process shares memory with peers of its host; empty if c is nil.
func (c *Comm) Transport() string {
	if c.null() {
		return ""
	}
	name := c.process.transport.Name()
	if c.Usage().SharedPeers > 0 {
		name = "shm + " + name
	}
	return name
}

// Usage is what messages have cost this process so far: see Comm.Usage.
type Usage = rpi.Usage

// Usage returns what the transport takes of the operating system, to compare transports. It
// stands for MPI's performance variables (MPI 4.1, section 15.3.7). All is 0 if c is nil or
// the transport does not count.
func (c *Comm) Usage() Usage {
	if c.null() {
		return Usage{}
	}
	if m, ok := c.process.transport.(rpi.Metered); ok {
		return m.Usage()
	}
	return Usage{}
}

func (c *Comm) null() bool { return c == nil || c.communicator == nil }

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
	if c.null() {
		return c
	}
	return &Comm{communicator: c.communicator, ctx: orBackground(ctx)}
}

// orBackground is ctx, which may be nil.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// untimed returns a view of c whose operations never give up.
func (c *Comm) untimed() Comm {
	return Comm{communicator: c.communicator, ctx: context.Background()}
}

// usable says why no operation can be started on c, nil if one can.
func (c *Comm) usable(op string) error {
	switch {
	case c.null():
		return invalid(op, ErrComm, "the communicator is nil")
	case c.process.orphan.Load():
		return orphaned(op)
	case c.process.finalized.Load():
		return invalid(op, ErrClosed, "the process has called Finalize")
	case c.freed.Load():
		return invalid(op, ErrComm, "the communicator has been freed")
	}
	return nil
}

// release gives up one reference.
func (c *communicator) release() {
	if c.refs.Add(-1) == 0 {
		c.post.close(c)
		c.process.delist(c)
		c.process.transport.Release(c.context)
		c.process.transport.Release(c.context | collective)
		c.process.transport.Release(c.context | notices)
	}
}
