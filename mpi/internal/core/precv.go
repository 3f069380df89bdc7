package core

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// partitionedRecv is the Work of a partitioned receive.
type partitionedRecv struct {
	partitioned
	announcement announcement
	announced    rpi.Request // the receive of the announcement

	mu     sync.Mutex // guards what follows, and is held in calls of match, prepare and unpack
	active bool       // it has been started
	posted bool       // and its messages are received
	parts  []rpi.Request
	image  *image // where they go, if the buffer is not one piece of memory
	copied []bool // partitions that have been unpacked from there
	err    error  // the announcement does not fit

	left atomic.Int32 // messages that have not completed, and one while they are started
}

// PrecvInit returns a persistent request that receives what a partitioned send sends.
func (c *View) PrecvInit(op string, e Buffer, partitions, source, tag int) (*Request, error) {
	if err := c.receiving(op, e, source, tag); err != nil {
		return nil, err
	}
	switch {
	case source == AnySource:
		return nil, mpierr.Invalid(op, rpi.ErrRank, "the source of a partitioned receive is AnySource")
	case tag == AnyTag:
		return nil, mpierr.Invalid(op, rpi.ErrTag, "the tag of a partitioned receive is AnyTag")
	}
	p := new(partitionedRecv)
	if err := p.bind(c.Comm, op, e, partitions, source, tag); err != nil {
		return nil, err
	}
	r := &p.announced
	r.Op, r.Context, r.Peer, r.Tag, r.Then = rpi.OpRecv, c.context|announcements, c.jobRank(source), matching.Tag(tag), (*arrival)(p)
	a := &p.announcement
	attach(r, Buffer{unsafe.Pointer(a), int(unsafe.Sizeof(*a)), packedType})
	c.start(r)
	return c.NewPersistent(op, p), nil
}

// arrival follows the announcement.
type arrival partitionedRecv

// Completed implements rpi.Continuation.
func (a *arrival) Completed(*rpi.Request) {
	if c := a.comm.process.collectives.Continuations; a.peer != ProcNull {
		c.Add(a)
	}
}

// Whole implements rpi.Continuation.
func (a *arrival) Whole() *rpi.Request { return &a.whole }

// Run implements rpi.Runner.
func (a *arrival) Run(bool) { (*partitionedRecv)(a).post() }

// Prepare implements Starter.
func (p *partitionedRecv) Prepare() *rpi.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active, p.posted = false, false
	return p.renew(rpi.OpRecv)
}

// Start implements Starter.
func (p *partitionedRecv) Start() {
	p.mu.Lock()
	p.active = true
	p.mu.Unlock()
	p.post()
}

// post starts to receive the messages of a run, if the request has been started and the announcement has come.
func (p *partitionedRecv) post() {
	p.mu.Lock()
	if !p.active || p.posted || !p.announced.Completed() {
		p.mu.Unlock()
		return
	}
	p.posted = true
	if p.parts == nil && p.err == nil {
		p.err = p.match()
	}
	for i := range p.parts {
		p.prepare(i)
	}
	clear(p.copied)
	parts := p.parts
	p.left.Store(int32(len(parts) + 1))
	p.mu.Unlock()
	if len(parts) > 0 {
		p.comm.revokeLate(p.announcement.Context)
	}
	for i := range parts {
		p.comm.start(&parts[i])
	}
	p.Completed(nil) // the parts may be used again only now
}

// match learns from the announcement what to receive.
func (p *partitionedRecv) match() error {
	a, r := &p.announcement, &p.announced
	switch {
	case p.peer == ProcNull:
		return nil
	case r.Err != nil:
		r.Context = p.comm.context
		return p.comm.failure(p.op, r)
	case r.Status.Length != uint64(unsafe.Sizeof(*a)) || a.Parts < 1 || a.Parts > maxParts || a.Length < 0 || a.Length > a.Total || a.Total > a.Parts*a.Length ||
		a.Total < (a.Parts-1)*a.Length || a.Tag < 0 || a.Tag > MaxTag+1-a.Parts || a.Context&(collective.Messages|announcements|rpi.Reserved) != 0 || a.Context == 0:
		return mpierr.Invalid(p.op, rpi.ErrIntern, "rank %d has sent a wrong announcement of a partitioned message", p.peer).About(p.peer)
	case a.Total > int64(p.buffer.Len()):
		return mpierr.Invalid(p.op, rpi.ErrTruncate, "the partitions of rank %d have %s together, which exceed the buffer of %d",
			p.peer, mpierr.Plural(int(a.Total), "byte"), p.buffer.Len()).About(p.peer)
	case !(*matcher)(p.buffer.Type).Matches(a.Type, uint64(a.Total), uint64(p.buffer.Len())):
		return mpierr.Invalid(p.op, rpi.ErrType, "the partitions of rank %d are of another type than %s", p.peer, p.buffer.Type.Name()).About(p.peer)
	}
	p.comm.uses(a.Context)
	p.parts = make([]rpi.Request, a.Parts)
	if _, ok := p.buffer.Piece(); !ok {
		p.image, p.copied = imageOf(p.buffer, int(a.Total)), make([]bool, p.partitions)
	}
	return nil
}

// prepare makes the receive of a message ready.
func (p *partitionedRecv) prepare(i int) {
	a, r := &p.announcement, &p.parts[i]
	if r.Completed() {
		detach(r)
		r.Reset()
	}
	memory, _ := p.buffer.Piece()
	if p.image != nil {
		memory = p.image.bytes
	}
	from := int64(i) * a.Length
	to := min(from+a.Length, a.Total)
	r.Op, r.Context, r.Peer, r.Tag = rpi.OpRecv, a.Context, p.announced.Peer, matching.Tag(a.Tag)+matching.Tag(i)
	r.Type, r.Elem, r.Matcher, r.Then = signature(packedType), 1, (*matcher)(packedType), p
	r.Buf = memory[from:to:to]
}

// Completed implements rpi.Continuation.
func (p *partitionedRecv) Completed(*rpi.Request) {
	if p.left.Add(-1) == 0 {
		p.whole.Complete(nil)
	}
}

// Parrived reports whether a partition of a partitioned receive has been received. It moves messages.
func (r *Request) Parrived(op string, i int) (bool, error) {
	p, active, err := partitionedOf[*partitionedRecv](r, op, "receive")
	if err != nil {
		return false, err
	}
	if err := p.partition(op, i); err != nil {
		return false, err
	}
	if !active {
		return true, nil // section 4.2.2
	}
	arrived, err := p.arrived(i)
	if err == nil && !arrived {
		p.comm.process.transport.Advance()
		arrived, err = p.arrived(i)
	}
	return arrived, err
}

// arrived reports whether all messages with bytes of a partition have come.
func (p *partitionedRecv) arrived(i int) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil || !p.posted {
		return false, p.err
	}
	a := &p.announcement
	from, to := i*p.size, (i+1)*p.size
	last := min(to, int(a.Total)) - 1
	for m := from / max(int(a.Length), 1); m*int(a.Length) <= last && m < len(p.parts); m++ {
		r := &p.parts[m]
		if !r.Completed() {
			return false, nil
		}
		if p.settle(r, m*int(a.Length)); r.Err != nil {
			return false, p.outcome(p.parts[m : m+1])
		}
	}
	if to > int(a.Total) && !p.whole.Completed() {
		return false, nil // nothing is sent for it
	}
	p.unpack(i)
	return true, nil
}

// unpack copies a partition to the buffer, once in a run, if it has been received elsewhere.
func (p *partitionedRecv) unpack(i int) {
	if p.image == nil || p.copied[i] {
		return
	}
	p.copied[i] = true
	if from, to := i*p.size, min((i+1)*p.size, len(p.image.bytes)); from < to {
		p.buffer.Unpack(from, p.image.bytes[from:to])
	}
}

// Outcome implements Work.
func (p *partitionedRecv) Outcome() (Status, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.err
	if err == nil {
		for i := range p.parts {
			p.settle(&p.parts[i], i*int(p.announcement.Length))
			if t := p.comm.process.trace; t != nil {
				t.received(&p.parts[i])
			}
		}
		err = p.outcome(p.parts)
	}
	switch {
	case err != nil:
		return EmptyStatus, err
	case p.peer == ProcNull:
		return nullStatus, nil
	}
	for i := range p.partitions {
		p.unpack(i)
	}
	total := int(p.announcement.Total)
	return Status{Source: p.peer, Tag: p.tag, Bytes: total, Count: total / int(max(p.buffer.Type.Item(), 1))}, nil
}

// Release implements Work.
func (p *partitionedRecv) Release() {
	if !p.announced.Completed() {
		p.comm.process.transport.Cancel(&p.announced)
	}
	if p.image != nil {
		p.image.release()
		p.image = nil
	}
}
