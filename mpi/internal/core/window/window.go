package window

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Combiner returns what combines two vectors of elements of a kind, left = left ∘ right; nil if the kind has no such
// operation. Neither changes right.
type Combiner func(op collective.Reduction, kind datatype.Kind) func(left, right []byte)

// Process is what the windows of a process share.
type Process struct {
	Transport     rpi.Transport
	Continuations *rpi.Continuations
}

// Communicator is what a Window asks of its communicator, on which there are no other messages than those of
// the Window and of collective operations.
type Communicator interface {
	// JobRank translates a rank, RankOf a rank of the job.
	JobRank(rank int) matching.Rank
	RankOf(job matching.Rank) int
	// Gone is the error of an operation that needs a rank which is gone.
	Gone(op string, rank int, cause error) *mpierr.Error
}

// Messages is the context of a Window's messages, beside its communicator's others.
const Messages = rpi.Internal

// Window is the memory that each rank of a communicator shows the others. Its methods may be called by several
// goroutines at once.
type Window struct {
	process *Process
	comm    Communicator
	context matching.Context
	rank    int
	combine Combiner

	// mu is held in calls of all methods of windows, their peers and events that are not exported, but those that lock it, those that get a
	// context, as they may wait, and those that need nothing of the following.
	mu     sync.Mutex
	memory memory
	peers  []*peer // by rank, nil before the first contact
	epochs epochs  // of this rank as an origin
	// own is the control of this rank, nil before it is needed. wishes are the origins that have asked for its lock by messages, and wait.
	own    *control
	wishes []*peer
	// place is where the ranks meet in Fence without messages, nil if they cannot. attended is the last meeting there that this one has
	// come to. someLost: a rank is lost.
	place    *control
	attended uint32
	someLost bool
	stirs    []*request // on their way: see stir
	closed   bool
	// segment is the memory of all ranks, if they share it; nil otherwise.
	segment *Segment
	// near is the memory of other ranks that this process has, by rank, and here how many operations it has carried out on any.
	near []*neighbour
	here int

	// The operations of this rank as an origin, by their numbers.
	operations []operation
	free       []uint32
	slots      uint32 // a bit for each long operation under way

	waits   []*wait
	open    int // requests that have been started and have not completed
	spare   []*request
	buffers rpi.Buffers
	scratch scratch
	// What is to be done when mu is not held any more.
	outbox  []*request
	cancels []*request
	events  []*Event
	settled []*wait

	agent agent
}

// New returns the window of a communicator of size ranks, of which this process has one. context is that of the
// communicator.
func New(p *Process, c Communicator, context matching.Context, rank, size int, combine Combiner) *Window {
	w := &Window{process: p, comm: c, context: context | Messages, rank: rank, combine: combine, peers: make([]*peer, size)}
	w.memory.unit = 1
	w.agent.window = w
	if size > 1 {
		w.mu.Lock()
		w.listen()
		w.finish()
	}
	return w
}

// Show sets the memory that this rank shows, in units of so many bytes. Call it before others may use it.
func (w *Window) Show(base []byte, unit int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.memory.base, w.memory.unit = base, int64(unit)
}

// Share says that the memory is a part of one that other ranks use directly. Call it before others may use it.
func (w *Window) Share(s *Segment) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.segment = s
}

// scratch is memory for pieces of memory of shapes.
type scratch struct {
	mu      sync.Mutex
	buffers rpi.Buffers
}

func (s *scratch) get(n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buffers.Get(n)
}

func (s *scratch) put(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buffers.Put(b)
}

// order orders what has been done to the memory, and what will be.
func (w *Window) order() {
	if w.segment != nil {
		w.segment.order.Add(1)
	}
}

// Close ends the window. No operation is under way on any rank.
func (w *Window) Close() {
	w.mu.Lock()
	w.closed = true
	for _, r := range w.stirs { // to ranks that have closed it, as a rank is gone
		w.cancel(r)
	}
	if r := w.agent.inbox; r != nil {
		w.cancel(r)
	}
	for _, p := range w.peers {
		if p == nil {
			continue
		}
		for _, r := range [...]*request{p.watch, p.drain} {
			if r != nil {
				w.cancel(r)
			}
		}
	}
	w.finish()
	_ = w.await(context.Background(), idle, nil) // never gives up
	w.process.Transport.Release(w.context)
}

// peer is what this rank and another, or itself, have to do with each other in a window. Window.mu guards it.
type peer struct {
	rank int
	job  matching.Rank
	self bool
	// memory is that of the rank, and control what is synchronized by, if this process has them: see near.go.
	memory  *memory
	control *control
	// dead is why the rank cannot be reached, nil if it can. watch is a receive that completes when it cannot. Then drain receives what
	// it has sent before: it is drained when there is nothing more, and lost when all of it has been handled.
	dead          error
	watch, drain  *request
	drained, lost bool

	// To the rank as a target: messages under way, operations whose data is still used here, answers to come. unsure: it may have
	// work of this rank's that it does not know to be done. err is the first error since this rank was last told.
	sending, local, awaited int
	unsure                  atomic.Bool
	err                     *fault
	access                  access
	posts                   int    // by which it has become a target, not used yet
	postsUsed               uint32 // of those in control

	// From the rank as an origin: long data under way, and answers; flushes wait until there is no data. failure is the first
	// error since the origin was last told.
	data, owed int
	flushes    []header
	failure    *fault
	wish       uint32 // the number of its wish for the lock
	// completions are the epochs of Post that it has ended and this rank has not, and completionsUsed those in control that this rank has.
	completions     int
	completionsUsed uint32
}

// peer returns the peer of a rank.
func (w *Window) peer(rank int) *peer {
	p := w.peers[rank]
	if p == nil {
		p = &peer{rank: rank, job: w.comm.JobRank(rank), self: rank == w.rank}
		if p.self {
			p.memory, p.control = &w.memory, w.control()
		} else if w.near != nil && w.near[rank] != nil {
			p.memory, p.control = &w.near[rank].memory, w.near[rank].control
		}
		w.peers[rank] = p
		if !p.self && !w.closed {
			p.watch = w.request(p, watching)
			p.watch.Op, p.watch.Peer, p.watch.Tag = rpi.OpRecv, p.job, watchTag
			w.outbox = append(w.outbox, p.watch)
		}
	}
	return p
}

// finish unlocks mu, and does what is to be done without it.
func (w *Window) finish() {
	w.settle()
	if len(w.outbox)+len(w.cancels)+len(w.events)+len(w.settled) == 0 {
		w.mu.Unlock()
		return
	}
	// Copies, on the stack if they are short: another goroutine may be next.
	var (
		some  [4]*request
		done  [4]*Event
		ended [4]*wait
	)
	starts, events, settled := append(some[:0], w.outbox...), append(done[:0], w.events...), append(ended[:0], w.settled...)
	cancels := w.cancels
	clear(w.outbox)
	clear(w.events)
	clear(w.settled)
	w.outbox, w.cancels, w.events, w.settled = w.outbox[:0], nil, w.events[:0], w.settled[:0]
	w.mu.Unlock()
	if len(starts)+len(cancels) > 0 {
		c := w.process.Continuations
		c.Enter()
		for _, r := range starts {
			w.process.Transport.Start(&r.Request)
			r.begun.Store(true)
			if r.unwanted.Load() {
				w.process.Transport.Cancel(&r.Request)
			}
			r.let()
		}
		for _, r := range cancels {
			if r.begun.Load() { // else another goroutine is about to start it, and cancels it then
				w.process.Transport.Cancel(&r.Request)
			}
			r.let()
		}
		c.Leave(false)
	}
	for _, e := range events {
		e.Complete(nil)
	}
	for _, a := range settled {
		a.Complete(nil)
	}
}
