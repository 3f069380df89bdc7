package core

import (
	"sync/atomic"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// partitionedSend is the Work of a partitioned send.
type partitionedSend struct {
	partitioned
	announcement announcement
	announcing   rpi.Request
	each         int            // how many partitions share a message
	ready        []atomic.Bool  // by partition
	waits        []atomic.Int32 // by message: partitions that are not ready
	parts        []rpi.Request
	left         atomic.Int32 // for each message, its completion and the return of its start
}

// PsendInit returns a persistent request that sends a buffer in partitions of equal length.
func (c *View) PsendInit(op string, e Buffer, partitions, dest, tag int) (*Request, error) {
	if err := c.sending(op, e, dest, tag); err != nil {
		return nil, err
	}
	s := new(partitionedSend)
	if err := s.bind(c.Comm, op, e, partitions, dest, tag); err != nil {
		return nil, err
	}
	s.each = (partitions + maxParts - 1) / maxParts
	n := (partitions + s.each - 1) / s.each
	s.ready, s.waits, s.parts = make([]atomic.Bool, partitions), make([]atomic.Int32, n), make([]rpi.Request, n)
	a := &s.announcement
	a.Type, a.Parts, a.Length, a.Total = signature(e.Type), int64(n), int64(s.each*s.size), int64(e.Len())
	var first matching.Tag
	a.Context, first = c.tags(n)
	c.revokeLate(a.Context)
	a.Tag = int64(first)
	r := &s.announcing
	r.Op, r.Context, r.Peer, r.Tag = rpi.OpSend, c.context|announcements, c.jobRank(dest), matching.Tag(tag)
	attach(r, Buffer{unsafe.Pointer(a), int(unsafe.Sizeof(*a)), packedType})
	c.start(r)
	return c.NewPersistent(op, s), nil
}

// Prepare implements Starter.
func (s *partitionedSend) Prepare() *rpi.Request {
	for i := range s.ready {
		s.ready[i].Store(false)
	}
	for i := range s.parts {
		s.waits[i].Store(int32(min(s.each, s.partitions-i*s.each)))
		if s.parts[i].Completed() {
			detach(&s.parts[i])
			s.parts[i].Reset()
		}
	}
	s.left.Store(int32(2 * len(s.parts)))
	return s.renew(rpi.OpSend)
}

// Start implements Starter. What is sent Ready says.
func (s *partitionedSend) Start() {}

// Pready says that the partitions from first to last of an active partitioned send may be sent.
func (r *Request) Pready(op string, first, last int) error {
	s, active, err := partitionedOf[*partitionedSend](r, op, "send")
	switch {
	case err != nil:
		return err
	case !active:
		return mpierr.Invalid(op, rpi.ErrRequest, "the request of %s is inactive: start it first", r.op)
	}
	for _, i := range [...]int{first, last} {
		if err := s.partition(op, i); err != nil {
			return err
		}
	}
	if first > last {
		return mpierr.Invalid(op, rpi.ErrArg, "the first partition, %d, is behind the last, %d", first, last)
	}
	for i := first; i <= last; i++ {
		if s.ready[i].Swap(true) {
			return mpierr.Invalid(op, rpi.ErrArg, "partition %d is ready already", i)
		}
		if m := i / s.each; s.waits[m].Add(-1) == 0 {
			s.send(m)
		}
	}
	return nil
}

// send sends a message, all partitions of which are ready.
func (s *partitionedSend) send(i int) {
	r, count := &s.parts[i], s.buffer.Count/s.partitions
	from := i * s.each
	n := min(s.each, s.partitions-from)
	r.Op, r.Context, r.Peer, r.Tag = rpi.OpSend, s.announcement.Context, s.comm.jobRank(s.peer), matching.Tag(s.announcement.Tag)+matching.Tag(i)
	attach(r, s.buffer.section(from*count, n*count))
	r.Then = s
	s.comm.start(r)
	s.Completed(r) // r may be used again only now
}

// Completed implements rpi.Continuation.
func (s *partitionedSend) Completed(*rpi.Request) {
	if s.left.Add(-1) == 0 {
		s.whole.Complete(nil)
	}
}

// Outcome implements Work.
func (s *partitionedSend) Outcome() (Status, error) {
	for i := range s.parts {
		s.settle(&s.parts[i], i*s.each*s.size)
	}
	return Status{}, s.outcome(s.parts)
}

// Release implements Work.
func (s *partitionedSend) Release() {
	for i := range s.parts {
		detach(&s.parts[i])
	}
}
