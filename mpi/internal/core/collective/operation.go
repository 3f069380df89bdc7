package collective

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Operation is one call of a collective operation. Space.Begin makes it. Then Require names what is wrong with its
// arguments, Agree sets what the ranks must agree on, and if that reports true the caller builds the schedule with Builder. At
// last Do, or Start, runs it.
type Operation struct {
	space    *Space
	op       string
	tag      matching.Tag
	elements Elements
	terms
	mark     matching.Type
	runs     terms // those of the runs of a persistent operation
	blocking bool
	agreed   bool
	kept     bool // it is persistent: see Keep
	// persistent: the call makes such an operation. pairwise: see Pairwise.
	persistent, pairwise bool
	told                 bool          // all ranks have got an alarm
	err                  *mpierr.Error // of the goroutine that runs it

	// In and Out are the memory that the schedule names so. Combine makes left the combination of left and right;
	// Safe: it may run outside the calls of the program, as it calls none of its functions.
	// Images are of memory that In and Out are not themselves, nil if there is none.
	In, Out []byte
	Images  Images
	Combine func(left, right []byte)
	Safe    bool
	blocks  []block

	// Call is what a step of the schedule calls.
	Call func()
	// Then, unless it is nil, is called when the operation has ended, before it completes for those that wait: by any goroutine,
	// with no lock held.
	Then func(failed bool)

	number   uint32 // of the call
	making   bool   // it tries to make the Memory of its communicator
	short    short
	builder  schedule.Builder
	schedule *schedule.Schedule
	scratch  []uint64
	// waits counts, for each step, the steps that must be complete before, and one if a message must have been started.
	// ready can begin, held wait for a call of the program. requests are the messages under way, left the steps to complete.
	waits       []int32
	ready, held []int32
	requests    []*step
	underWay    int
	left        int

	whole rpi.Request // for which goroutines wait
	// abandoned: it has failed, and ends when its messages have been given up.
	abandoned atomic.Bool

	// What happens to the operation while it is under way.
	mu        sync.Mutex // held in calls of wake and rest
	state     opState
	parked    bool // in Continuations, to be run in a call of the program
	completed *step
	notices   []notice
	cause     error // why it is given up
	came      bool  // what a short operation waits for
	asks      bool
	looks     uint32 // of watch
}

// Images are memory that stands for buffers of the program which are not one piece.
type Images interface {
	// Load copies what the operation sends into the images, before it runs. Store copies what it has received to the program,
	// after it has succeeded. Release ends their use.
	Load()
	Store()
	Release()
}

// opState is what an operation does.
type opState uint8

const (
	preparing opState = iota
	idle              // nothing can be done before something happens
	queued            // in Continuations
	running
	ended
)

func (p *Process) operation() *Operation {
	if o, ok := p.operations.Get().(*Operation); ok {
		return o
	}
	return new(Operation)
}

// Release gives the operation back, which has ended.
func (o *Operation) Release() {
	p := o.space.process
	o.reset()
	if o.Images != nil {
		o.Images.Release()
	}
	o.In, o.Out, o.Images, o.Combine, o.Safe, o.Call, o.Then, o.kept, o.making, o.space = nil, nil, nil, nil, false, nil, nil, false, false, nil
	clear(o.blocks)
	o.blocks = o.blocks[:0]
	p.operations.Put(o)
}

// reset makes the operation, which has ended, ready for another run.
func (o *Operation) reset() {
	o.mu.Lock()
	o.state, o.cause, o.came, o.asks, o.looks, o.notices = preparing, nil, false, false, 0, o.notices[:0]
	o.mu.Unlock()
	o.agreed, o.told, o.err, o.short = false, false, nil, short{}
	o.abandoned.Store(false)
	o.whole.Reset()
}

// Require makes err, the error of an argument, the error of the operation, unless there is one.
func (o *Operation) Require(err *mpierr.Error) {
	o.err = cmp.Or(o.err, err)
}

// Named gives the operation another name in errors, that of the function which the program has called.
func (o *Operation) Named(op string) { o.op = op }

// SetInPlace tells, before the ranks agree, that what this rank gets replaces what it gives, and that this must be so on all.
func (o *Operation) SetInPlace() { o.inPlace = true }

// IsRootOf reports whether the operation is of a routine with this rank as its root.
func (o *Operation) IsRootOf(r Routine, rank int) bool { return o.routine == r && o.root == rank }

// Err is the error so far.
func (o *Operation) Err() *mpierr.Error { return o.err }

// Messages are the context and the tag of its messages.
func (o *Operation) Messages() (matching.Context, matching.Tag) {
	return o.space.context | Messages, o.tag
}

// Op is the name of the operation in errors.
func (o *Operation) Op() string { return o.op }

// Agree sets what the ranks must agree on: see terms. It reports false if the operation has
// failed, because of its arguments or on another rank. In the first case all ranks have got an alarm.
func (o *Operation) Agree(root, length int, r Reduction) bool {
	o.root, o.length, o.reduction = root, length, r
	o.runs = o.terms
	if o.pairwise {
		o.terms = terms{routine: o.routine}
	}
	o.mark = o.terms.mark()
	return o.agree()
}

// agree tells the Space the mark, and takes in what has been said of the operation already. It reports false if that has
// failed.
func (o *Operation) agree() bool {
	s := o.space
	s.mu.Lock()
	s.inbox.marks[int(o.tag)%len(s.inbox.marks)] = o.mark
	o.agreed = true
	about := s.about(o)
	s.mu.Unlock()
	s.inbox.taken(len(about))
	if o.err != nil {
		o.tellAll()
		return false
	}
	for _, n := range about {
		o.handle(n)
	}
	return o.err == nil
}

// Builder returns the builder of the schedule.
func (o *Operation) Builder() *schedule.Builder {
	o.builder.Reset()
	o.builder.FewMessages(o.space.process.FewMessages)
	return &o.builder
}

// Do runs the operation, releases it and returns its error. If ctx ends first the operation is given up.
func (o *Operation) Do(ctx context.Context) error {
	o.run(ctx)
	if !o.whole.Completed() {
		o.await(ctx)
	}
	err := o.Outcome()
	o.Release()
	return err
}

// Outcome is the error of the operation, which has ended.
func (o *Operation) Outcome() error {
	if o.err != nil {
		return o.err
	}
	return nil
}

// Start runs the operation in the background. The request completes when it has ended, and then the operation can be released.
func (o *Operation) Start() *rpi.Request {
	p := o.space.process // the operation may end, and be released by another goroutine if it is persistent
	o.run(context.Background())
	if !o.whole.Completed() {
		p.watch.start()
	}
	return &o.whole
}

// run begins, and does what can be done at once.
func (o *Operation) run(ctx context.Context) {
	if begins := o.space.process.Begins; begins != nil {
		begins(o)
	}
	if o.err == nil && ctx.Err() != nil {
		cause := context.Cause(ctx)
		o.err = mpierr.Because(cause, o.op, rpi.ErrCancelled, "given up: %v", cause)
		o.tellAll()
	}
	if o.err == nil && o.Images != nil {
		o.Images.Load()
	}
	o.prepare()
	if o.short.memory != nil && o.err == nil {
		o.seek(ctx)
	}
	c := o.space.process.Continuations
	c.Enter()
	o.mu.Lock()
	o.state = running
	o.mu.Unlock()
	o.progress(true)
	c.Leave(false)
}

// await waits until the operation has ended.
func (o *Operation) await(ctx context.Context) {
	p := o.space.process
	p.watch.start()
	for !o.whole.Completed() {
		if err := p.Transport.AwaitRequest(ctx, &o.whole, nil); err != nil {
			o.giveUp(err)
			ctx = context.Background()
		}
	}
}

// giveUp fails the operation because its caller will not wait any longer.
func (o *Operation) giveUp(cause error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cause = cause
	o.wake()
}

// notify tells the operation of a notice about it. It reports false if the operation has ended.
func (o *Operation) notify(n notice) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.state == ended {
		return false
	}
	o.notices = append(o.notices, n)
	o.wake()
	return true
}

// wake has the operation go on.
func (o *Operation) wake() {
	if o.state == idle {
		o.state = queued
		o.space.process.Continuations.Add(o)
	}
}
