package core

import (
	"context"
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/combine"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Window is memory that the ranks of a communicator show each other, for one-sided operations (MPI 4.1, chapter 12).
type Window struct {
	*window.Window
	comm   *Comm // a communicator of its own
	kind   *Type // of the elements of its memory
	flavor Flavor
	memory Buffer // of this rank
	unit   int    // of displacements in it, in bytes

	// Of WinAllocateShared: the memory of all ranks, the element at which that of each rank begins, and how many there are. units
	// are those of displacements.
	segment  *window.Segment
	firsts   []int
	units    []int
	elements int
	// Of WinAllocate: the memory of this rank and of its neighbours, as far as they share it.
	segments []*window.Segment
}

// WindowView is a window whose blocking operations give up when a context ends.
type WindowView struct {
	*Window
	ctx context.Context
}

// Kind is the type of the elements of its memory.
func (w *Window) Kind() *Type { return w.kind }

// View returns a view of w; a nil ctx never ends.
func (w *Window) View(ctx context.Context) WindowView { return WindowView{w, orBackground(ctx)} }

// Null reports whether there is no window.
func (w *WindowView) Null() bool { return w == nil || w.Window == nil }

// Comm is the communicator of the window, for its rank and size. No messages may be sent on it.
func (w *WindowView) Comm() *Comm { return w.comm }

// WinCreateDynamic makes a window without memory, for elements of a type.
func (c *View) WinCreateDynamic(op string, kind *Type) (*Window, error) {
	w, err := c.window(op, FlavorDynamic, kind, 1)
	if err != nil {
		return nil, err
	}
	w.Dynamic()
	return w.made(c.ctx, op, nil)
}

// made returns w when all ranks have made it. bad is what is wrong with its arguments, nil if nothing is.
func (w *Window) made(ctx context.Context, op string, bad *mpierr.Error) (*Window, error) {
	if err := w.meet(ctx, op, bad); err != nil {
		w.abandon()
		return nil, err
	}
	return w, nil
}

// close ends the window, and its shared memory.
func (w *Window) close() {
	w.Close()
	w.comm.process.windows.Add(-1)
	w.comm.process.transport.Expect(-1)
	if w.segment != nil {
		w.segment.Close()
	}
	for _, s := range w.segments {
		s.Close()
	}
}

// abandon drops a window that some rank could not make. Its communicator stays until all ranks have dropped it, as what they still
// send in the call that has failed must find it.
func (w *Window) abandon() {
	w.close()
	c := w.comm.View(context.Background())
	_ = c.Free() // what the window has failed of is its error
}

// window makes a window without memory, which may not be used before meet.
func (c *View) window(op string, f Flavor, kind *Type, unit int) (*Window, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	if err := c.Intra(op); err != nil {
		return nil, err
	}
	own, err := c.private()
	if err != nil {
		return nil, renamed(op, err)
	}
	p := c.process
	if !own.group.IsFirst(p.size) {
		p.transport.Scope(own.context|window.Messages, own.group.Members())
	}
	p.windows.Add(1)
	p.transport.Expect(1)
	process := &window.Process{Transport: p.transport, Continuations: p.collectives.Continuations}
	w := window.New(process, own, own.context, own.rank, own.group.Size(), combine.For)
	own.window.Store(w)
	return &Window{Window: w, comm: own, kind: kind, flavor: f, unit: unit}, nil
}

// meet waits until all ranks have made the window, and checks that its elements have the parts and the size of the others'.
func (w *Window) meet(ctx context.Context, op string, bad *mpierr.Error) error {
	return w.gather(ctx, op, bad, collective.Barrier, func(o *collective.Operation, r schedule.Ranks) {
		schedule.Barrier(o.Builder(), r, schedule.Start)
	})
}

// gather is meet by any collective operation that has all ranks wait for each other.
func (w *Window) gather(ctx context.Context, op string, bad *mpierr.Error, r collective.Routine, plan func(*collective.Operation, schedule.Ranks)) error {
	c := w.comm.View(ctx)
	o, err := c.begin(r, Blocking, w.kind)
	if err != nil {
		return renamed(op, err)
	}
	if bad != nil {
		o.Require(bad)
	}
	size := int(w.kind.Extent())
	if o.Agree(0, size, 0) {
		plan(o, c.ranks())
	}
	err = o.Do(ctx)
	if e, ok := err.(*mpierr.Error); ok && e.Rank >= 0 && (e.Class == rpi.ErrCount || e.Class == rpi.ErrArg) {
		e.Class = rpi.ErrType
		e.Detail = fmt.Sprintf("not all ranks pass the type of this rank's elements, %s of %s", w.kind.Name(), mpierr.Plural(size, "byte"))
	}
	return renamed(op, err)
}

// renamed is an error of a collective operation that is a part of another one.
func renamed(op string, err error) error {
	if e, ok := err.(*mpierr.Error); ok {
		e.Op = op
	}
	return err
}

// barrier is a barrier of the window's ranks, which fails on all of them if may is an error.
func (w *WindowView) barrier(op string, may *mpierr.Error) error {
	c := w.comm.View(w.ctx)
	o, err := c.begin(collective.Barrier, Blocking, noType)
	if err != nil {
		return renamed(op, err)
	}
	if may != nil {
		o.Require(may)
	}
	c.meet(o)
	return renamed(op, o.Do(w.ctx))
}

// valid says why no operation can be started on w, nil if one can.
func (w *WindowView) valid(op string) error {
	if w.Null() {
		return mpierr.Invalid(op, rpi.ErrWin, "the window is nil")
	}
	c := View{w.comm, w.ctx}
	return c.usable(op)
}

// Fence completes all operations of all ranks, and begins a new epoch if next.
func (w *WindowView) Fence(op string, next bool) error {
	if err := w.valid(op); err != nil {
		return err
	}
	may := w.MayFence(op)
	var err error
	if may == nil {
		err = w.Window.Fence(w.ctx, op)
	}
	if !w.Meet(w.ctx, may == nil) {
		w.Window.Sync()
		if failed := w.barrier(op, may); failed != nil {
			return failed
		}
		w.Window.Sync()
		w.Met()
	}
	w.Fenced(next)
	return err
}

// Free gives the window back.
func (w *WindowView) Free(op string) error {
	if err := w.valid(op); err != nil {
		return err
	}
	may := w.MayClose(op)
	if may == nil { // if a function of the program fails the window stays, on all ranks
		may, _ = errors.AsType[*mpierr.Error](refused(op, w.comm.object.attributes.Clear(w.comm)))
	}
	err := w.barrier(op, may)
	if may != nil {
		return may
	}
	if err == nil && (w.flavor == FlavorAllocate || w.flavor == FlavorShared) { // its ranks may have woken each other
		_ = w.Settle(w.ctx) // if the context ends the barrier says so
		err = w.barrier(op, nil)
	}
	if err != nil && !errors.Is(err, rpi.ErrProcFailed) {
		return err
	}
	w.close()
	c := w.comm.View(w.ctx)
	return renamed(op, errors.Join(err, c.Free()))
}

// Gone is the error of an operation that needs a rank which is gone.
func (c *Comm) Gone(op string, rank int, cause error) *mpierr.Error {
	c.process.peerFailed(c.jobRank(rank))
	return c.goneFor(op, c.jobRank(rank), cause)
}

// synchronize is a synchronization that package window does alone, as the following are.
func (w *WindowView) synchronize(op string, by func() error) error {
	if err := w.valid(op); err != nil {
		return err
	}
	return by()
}

// Lock begins an epoch with one target.
func (w *WindowView) Lock(op string, lock window.LockType, target int) error {
	return w.synchronize(op, func() error { return w.Window.Lock(w.ctx, op, lock, target) })
}

// Unlock ends the epoch of Lock.
func (w *WindowView) Unlock(op string, target int) error {
	return w.synchronize(op, func() error { return w.Window.Unlock(w.ctx, op, target) })
}

// LockAll begins an epoch with all targets.
func (w *WindowView) LockAll(op string) error {
	return w.synchronize(op, func() error { return w.Window.LockAll(w.ctx, op) })
}

// UnlockAll ends the epoch of LockAll.
func (w *WindowView) UnlockAll(op string) error {
	return w.synchronize(op, func() error { return w.Window.UnlockAll(w.ctx, op) })
}

// Flush completes the operations with one target.
func (w *WindowView) Flush(op string, target int) error {
	return w.synchronize(op, func() error { return w.Window.Flush(w.ctx, op, target) })
}

// FlushAll completes the operations with all targets.
func (w *WindowView) FlushAll(op string) error {
	return w.synchronize(op, func() error { return w.Window.FlushAll(w.ctx, op) })
}

// FlushLocal completes the operations with one target here.
func (w *WindowView) FlushLocal(op string, target int) error {
	return w.synchronize(op, func() error { return w.Window.FlushLocal(w.ctx, op, target) })
}

// FlushLocalAll completes all operations here.
func (w *WindowView) FlushLocalAll(op string) error {
	return w.synchronize(op, func() error { return w.Window.FlushLocalAll(w.ctx, op) })
}

// Post lets the origins of a group in.
func (w *WindowView) Post(op string, g *Group) error {
	ranks, err := w.ranksOf(op, g)
	if err != nil {
		return err
	}
	return w.Window.Post(op, ranks)
}

// Start begins an epoch with the targets of a group.
func (w *WindowView) Start(op string, g *Group) error {
	ranks, err := w.ranksOf(op, g)
	if err != nil {
		return err
	}
	return w.Window.Start(w.ctx, op, ranks)
}

// ranksOf returns the ranks of a group's processes in the window.
func (w *WindowView) ranksOf(op string, g *Group) ([]int, error) {
	if err := w.valid(op); err != nil {
		return nil, err
	}
	ranks := make([]int, g.Size())
	for i := range ranks {
		job := g.members().Member(i)
		if ranks[i] = w.comm.rankOf(job); ranks[i] == Undefined {
			return nil, mpierr.Invalid(op, rpi.ErrRank, "rank %d of the group, rank %d of the job, has no part in the window", i, job)
		}
	}
	return ranks, nil
}

// Complete ends the epoch of Start.
func (w *WindowView) Complete(op string) error {
	return w.synchronize(op, func() error { return w.Window.Complete(w.ctx, op) })
}

// Wait ends the epoch of Post.
func (w *WindowView) Wait(op string) error {
	return w.synchronize(op, func() error { return w.Window.Wait(w.ctx, op) })
}

// Test ends the epoch of Post if all origins have completed theirs, else it reports false.
func (w *WindowView) Test(op string) (bool, error) {
	if err := w.valid(op); err != nil {
		return false, err
	}
	return w.Window.Test(op)
}

// Attach adds memory to a dynamic window, and returns its displacement.
func (w *WindowView) Attach(op string, memory Buffer) (int64, error) {
	if err := w.buffer(op, memory); err != nil {
		return 0, err
	}
	return w.Window.Attach(op, memory.solid())
}

// Detach takes it away.
func (w *WindowView) Detach(op string, memory Buffer) error {
	if err := w.buffer(op, memory); err != nil {
		return err
	}
	return w.Window.Detach(op, memory.solid())
}

// Sync orders this rank's own use of its memory with that of others.
func (w *WindowView) Sync(op string) error {
	if err := w.valid(op); err != nil {
		return err
	}
	w.Window.Sync()
	return nil
}
