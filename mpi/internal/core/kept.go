package core

import (
	"math/bits"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// keptSpaces are what the persistent collective operations of a communicator have of their own, in the order in which
// they were made, which is the same on all ranks.
type keptSpaces struct {
	mu     sync.Mutex
	spaces []*keptSpace
	failed bool // the order may be another on other ranks
}

// keptSpace is a context, and the runs of an operation in it. When the request is freed on all ranks another operation
// gets it.
type keptSpace struct {
	id    matching.Context
	space *collective.Space
	free  bool
}

// keep makes a persistent request of the operation, whose schedule has been built. The ranks choose its context: a free
// one if there is one that is free on all, or a new one of rank 0.
func (c *View) keep(o *collective.Operation) (*Request, error) {
	k := o.Keep()
	var words [1 + reusable/64]uint64 // combined by and: the new context, and which ones are free
	words[0] = ^uint64(0)
	ranks := c.ranks()
	if ranks.Me == 0 { // of both groups, if there are two
		words[0] = uint64(c.process.newContext())
	}
	c.kept.free(words[1:])
	choice := Of(Basic(datatype.Uint64), words[:])
	o.Combine, o.Safe = and, true
	schedule.Allreduce(buffers(o, choice, choice), ranks, whole(schedule.In, choice), whole(schedule.Out, choice),
		choice.vector(), schedule.Op{Commutes: true, Exact: true}, schedule.Start)
	if err := o.Do(c.ctx); err != nil {
		c.kept.fail()
		k.Release()
		return nil, err
	}
	w := &keptWork{Operation: k, spaces: &c.kept, space: c.takeKept(words[1:], matching.Context(words[0]))}
	k.Move(w.space.space)
	if c.process.watches {
		w.given = c.given(k)
	}
	return c.NewPersistent(k.Op(), w), nil
}

// reusable is how many contexts of persistent operations are used again.
const reusable = 512

func and(left, right []byte) {
	for i := range left {
		left[i] &= right[i]
	}
}

// free sets a bit for each context that is free here, by its place.
func (k *keptSpaces) free(words []uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failed {
		return
	}
	for i, s := range k.spaces[:min(len(k.spaces), reusable)] {
		if s.free && s.space.AllowsReuse() {
			words[i/64] |= 1 << (i % 64)
		}
	}
}

// takeKept takes the first context that is free on all ranks, or else opens that with the number id.
func (c *Comm) takeKept(free []uint64, id matching.Context) *keptSpace {
	s := c.kept.take(c, free, id)
	c.revokeLate(s.id, s.id|collective.Messages)
	return s
}

func (k *keptSpaces) take(c *Comm, free []uint64, id matching.Context) *keptSpace {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, word := range free {
		if word != 0 {
			s := k.spaces[i*64+bits.TrailingZeros64(word)]
			s.free = false
			return s
		}
	}
	s := &keptSpace{id: id, space: c.openSpace(id)}
	c.process.list(c, id)
	k.spaces = append(k.spaces, s)
	return s
}

// fail notes that the ranks may not have the same contexts any more. Then none is used again.
func (k *keptSpaces) fail() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failed = true
}

// close closes all. No request needs them any more.
func (k *keptSpaces) close(c *Comm) {
	k.mu.Lock()
	spaces := k.spaces
	k.spaces = nil
	k.mu.Unlock()
	for _, s := range spaces { // without the lock, as this runs what follows other operations
		c.closeSpace(s.id, s.space)
	}
}

// keptWork is the Work of a persistent collective operation.
type keptWork struct {
	*collective.Operation
	spaces *keptSpaces
	space  *keptSpace
	given  *given
}

// Outcome implements Work.
func (w *keptWork) Outcome() (Status, error) {
	return EmptyStatus, w.given.check(w.Operation.Outcome())
}

// Cancel implements Work.
func (w *keptWork) Cancel(op string) error { return (*collectiveWork)(w.Operation).Cancel(op) }

// Release implements Work.
func (w *keptWork) Release() {
	w.Operation.Release()
	w.spaces.mu.Lock()
	defer w.spaces.mu.Unlock()
	w.space.free = true
}

// Prepare implements Starter.
func (w *keptWork) Prepare() *rpi.Request { return w.Renew() }

// Start implements Starter.
func (w *keptWork) Start() {
	w.given.remember()
	w.StartAgain()
}
