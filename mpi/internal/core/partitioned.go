package core

import (
	"errors"
	"fmt"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Partitioned communication (MPI 4.1, chapter 4): a message in parts that the program declares ready one by one. Each
// partition is a message of its own, which leaves as soon as it is ready; only where there are very many some share one.
//
// When it is made, the send sends an announcement with the tag of the program, in a context for announcements. The
// receive, when it is made, starts to receive one. So the two are matched once, in the order in which they were made. The
// announcement says how long the messages are, and which context and tags they have. The sender has a context of its own
// for them on each communicator, and never uses a tag twice in it, so that the messages of one pair of requests are never
// taken for those of another.

// announcements are bits in the context of a communicator: that of its announcements.
const announcements = rpi.Internal | 1<<2

// maxParts is how many messages a partitioned one consists of at most.
const maxParts = 4096

// announcement is what the receive must know of the send.
type announcement struct {
	Context       matching.Context // of the messages
	Tag           int64            // of the first; the next ones follow
	Type          matching.Type    // of the elements
	Parts         int64            // how many messages
	Length, Total int64            // of each but the last, and of all together, in bytes
}

// partContexts are the contexts of a communicator's partitioned messages.
type partContexts struct {
	mu     sync.Mutex
	out    matching.Context // of the messages that this process sends, 0 if it has none yet
	tag    matching.Tag     // the next one there
	others map[matching.Context]bool
}

// tags returns the context for n messages more, and the tag of the first.
func (c *Comm) tags(n int) (matching.Context, matching.Tag) {
	p := &c.parts
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out == 0 || int64(p.tag)+int64(n) > MaxTag {
		p.out, p.tag = c.process.newContext(), 0
		c.usesLocked(p.out)
	}
	tag := p.tag
	p.tag += matching.Tag(n)
	return p.out, tag
}

// uses notes a context of which messages will be received.
func (c *Comm) uses(id matching.Context) {
	c.parts.mu.Lock()
	defer c.parts.mu.Unlock()
	c.usesLocked(id)
}

func (c *Comm) usesLocked(id matching.Context) {
	p := &c.parts
	if p.others == nil {
		p.others = make(map[matching.Context]bool)
	}
	if !p.others[id] {
		p.others[id] = true
		c.process.list(c, id)
	}
}

// closeParts forgets the contexts.
func (c *Comm) closeParts() {
	p := &c.parts
	p.mu.Lock()
	others := p.others
	p.others = nil
	p.mu.Unlock()
	c.process.transport.Release(c.context | announcements) // without the lock, as it runs what follows operations
	for id := range others {
		c.process.delist(id)
		c.process.transport.Release(id)
	}
}

// partitioned is what both sides have.
type partitioned struct {
	comm       *Comm
	op         string
	buffer     Buffer
	partitions int
	size       int // of a partition, in bytes
	peer, tag  int
	whole      rpi.Request
}

// bind checks the arguments of both sides, and keeps them.
func (p *partitioned) bind(c *Comm, op string, e Buffer, partitions, peer, tag int) error {
	switch {
	case partitions < 1:
		return mpierr.Invalid(op, rpi.ErrArg, "%s: there must be 1 at least", mpierr.Plural(partitions, "partition"))
	case e.Count%partitions != 0:
		return mpierr.Invalid(op, rpi.ErrCount, "a buffer of %d elements has no %d partitions of the same length", e.Count, partitions)
	}
	p.comm, p.op, p.buffer, p.peer, p.tag = c, op, e, peer, tag
	p.partitions, p.size = partitions, e.Len()/partitions
	return nil
}

// partition checks the number of a partition.
func (p *partitioned) partition(op string, i int) error {
	if i < 0 || i >= p.partitions {
		return mpierr.Invalid(op, rpi.ErrArg, "partition %d is not one of %d", i, p.partitions)
	}
	return nil
}

// Whole implements rpi.Continuation.
func (p *partitioned) Whole() *rpi.Request { return &p.whole }

// Cancel implements Work.
func (p *partitioned) Cancel(op string) error {
	return mpierr.Invalid(op, rpi.ErrRequest, "a partitioned operation cannot be cancelled (MPI 4.1, section 4.2)")
}

// renew makes whole ready for a run.
func (p *partitioned) renew(as rpi.Op) *rpi.Request {
	if p.whole.Completed() {
		p.whole.Reset()
	}
	p.whole.Op = as
	return &p.whole
}

// settle takes the outcome of a message, that of the buffer's bytes from offset on: whether the program has changed them, if that is
// looked after.
func (p *partitioned) settle(part *rpi.Request, offset int) {
	if m, ok := part.Matcher.(*image); ok && m.original != nil && !m.original.done {
		m.settle(part)
		if changed, ok := errors.AsType[*changedError](part.Err); ok {
			at := offset + changed.at
			changed.at, changed.of = at%p.size, fmt.Sprintf("%d of partition %d", p.size, at/p.size)
		}
	}
}

// outcome is the first error of the messages of a run, as those of the program's message.
func (p *partitioned) outcome(parts []rpi.Request) error {
	for i := range parts {
		if r := &parts[i]; r.Err != nil {
			r.Context, r.Tag = p.comm.context, matching.Tag(p.tag)
			return p.comm.failure(p.op, r)
		}
	}
	return nil
}

// packedType is that of announcements, and that of messages as their receiver has them.
var packedType = Basic(datatype.Packed)

// partitionedOf returns the partitioned operation of an active request, which must be a send or a receive.
func partitionedOf[T any](r *Request, op, what string) (work T, active bool, err error) {
	if r.null() {
		return work, false, mpierr.Invalid(op, rpi.ErrRequest, "the request is nil")
	}
	work, ok := r.work.(T)
	if !ok {
		return work, false, mpierr.Invalid(op, rpi.ErrRequest, "the request is of %s, and not a partitioned %s", r.op, what)
	}
	return work, r.Active(), nil
}
