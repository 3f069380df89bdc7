package window

import (
	"context"
	"sync/atomic"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// control is what ranks share to synchronize with one of them, its owner: words in memory that those of one host have, else in memory of the
// owner alone, whose agent uses them for all others. The lock of the owner's memory is in lock.go; counts of posts and completions, which
// need no lock, in active.go; the barrier of Fence, of which the control of rank 0 has the words, in fence.go.
//
// A rank waits by looking at its words. Before it blocks it says so, see slot.asleep, and looks once more. One that changes what it may wait for sends
// it a message then, which has it look again: see Window.wake.
type control struct {
	*controlWords
	slots []slot // by rank
	owner int
}

// controlWords are those of the owner. What is written together has a line.
type controlWords struct {
	latch atomic.Uint32
	_     [line - 4]byte
	lock  lockWords
	_     [line - unsafe.Sizeof(lockWords{})]byte
	// barrier is where the ranks meet in Fence.
	barrier atomic.Uint64
	_       [line - 8]byte
}

// slot is what a rank has to do with the owner.
type slot struct {
	hold               atomic.Uint64 // its part in the lock: see hold
	posts, completions atomic.Uint32 // by the owner for the rank, and by the rank
	// asleep: the rank may be blocked until something in the control changes. attached: it has the memory, and uses these words.
	asleep, attached atomic.Uint32
	met              atomic.Uint32 // the last barrier that it has come to
	_                uint32
}

// controlSize is how many bytes the control of one rank of so many takes.
func controlSize(ranks int) int {
	return (int(unsafe.Sizeof(controlWords{})+uintptr(ranks)*unsafe.Sizeof(slot{})) + line - 1) / line * line
}

// controlIn is a control in memory, which is 0 at first.
func controlIn(memory []byte, owner, ranks int) *control {
	first := unsafe.Pointer(unsafe.SliceData(memory[:controlSize(ranks)]))
	slots := unsafe.Slice((*slot)(unsafe.Add(first, unsafe.Sizeof(controlWords{}))), ranks)
	return &control{(*controlWords)(first), slots, owner}
}

// newControl is a control in memory of this process alone.
func newControl(owner, ranks int) *control {
	return &control{new(controlWords), make([]slot, ranks), owner}
}

// wakes reports whether a rank may be blocked until something in the control changes, and has to be told that something has.
func (c *control) wakes(rank int) bool {
	s := &c.slots[rank].asleep
	return s.Load() != 0 && s.Swap(0) != 0
}

// control is that of this rank.
func (w *Window) control() *control {
	if w.own == nil {
		w.own = newControl(w.rank, len(w.peers))
	}
	return w.own
}

// byWords reports whether this rank synchronizes with a target by words in memory that they share.
func (p *peer) byWords() bool { return p.control != nil && !p.self }

// uses reports whether an origin synchronizes with this rank by words.
func (w *Window) uses(p *peer) bool {
	return !p.self && w.own != nil && w.own.slots[p.rank].attached.Load() != 0
}

// wake has ranks look at a control, which has changed: those that may be blocked get a message.
func (w *Window) wake(c *control, ranks ...int) {
	for _, rank := range ranks {
		if rank == w.rank || !c.wakes(rank) {
			continue // this rank looks in finish
		}
		if p := w.peer(rank); p.dead == nil {
			w.stir(p)
		}
	}
}

// stir has a peer look at what it waits for. It may see that before the message comes, and the end of the window may come then: see Settle.
func (w *Window) stir(p *peer) {
	p.sending++
	r := w.message(p, asking, header{verb: stir}, nil)
	r.Mode = rpi.Synchronous
	w.stirs = append(w.stirs, r)
}

// Settle waits until all peers have got what they were to be woken by. Call it when no rank waits for another one any more: so that no rank
// closes the window before, there is to be a barrier between.
func (w *Window) Settle(ctx context.Context) error { return w.await(ctx, received, nil) }

// wakeAll is wake of all that have the memory.
func (w *Window) wakeAll(c *control) {
	for rank := range c.slots {
		w.wake(c, rank)
	}
}

// sleep says that a goroutine of this rank is about to block until something in a control changes, which it must look at once more. Any rank
// with the memory may be the one to change it, and die before it has said so: then its end has this rank look.
func (w *Window) sleep(c *control) {
	for rank := range c.slots {
		if c.slots[rank].attached.Load() != 0 {
			w.peer(rank)
		}
	}
	c.slots[w.rank].asleep.Store(1)
}

// stirred handles the message that something in memory which ranks share has changed: finish looks at all of it. What still waits then
// must be told again.
func (w *Window) stirred() {
	for _, a := range w.waits {
		if a.asleep {
			a.control.slots[w.rank].asleep.Store(1)
		}
	}
	if len(w.wishes) > 0 {
		w.own.slots[w.rank].asleep.Store(1)
	}
}
