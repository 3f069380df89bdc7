package mpi

import (
	"context"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
)

// Win is a window: memory of each rank of a communicator that the others read and change without its part in it (one-sided
// operations; MPI 4.1, chapter 12). Operations name a target, the rank whose memory they are about, and a displacement, the
// number of the element there at which they begin.
//
// Operations are begun in an epoch, between two calls that synchronize: two of Fence; Start and Complete; Lock and Unlock;
// or LockAll and UnlockAll. They return at once. They are complete, here and at the target, when the epoch ends, or at
// Flush. Until then the buffers of Get, and of long Puts, belong to the library. Errors that show at the target, such as a
// displacement outside its memory, are returned by the call that completes the operation.
//
// A rank uses its own memory by Memory, but not while others may change what it reads, or use what it changes: between
// Fences that keep these apart, or between Lock and Unlock of itself. Accumulate and its like are atomic for each element,
// also towards each other from different origins. Those of one origin to one target come in the order in which they were
// begun.
//
// The target need not call anything: operations go on while it computes, but in the mode inline only within its calls of this
// package, unless the origin shares its memory: see WinAllocate, which is the fastest for ranks of one host. All methods may be
// called by several goroutines at once, other than those that are collective.
type Win[T any] struct {
	view   core.WindowView
	memory []T
}

// WinCreate makes a window of memory, which may have another length on each rank, 0 too (MPI_WIN_CREATE; section 12.2.1). T is as
// for Send, and the same on all ranks. Collective. Free gives the window back; until then memory belongs to it.
func WinCreate[T any](c *Comm, memory []T) (*Win[T], error) {
	b := view(memory)
	w, err := c.core().WinCreate("mpi.WinCreate", core.FlavorCreate, b, int(b.Type.Extent()))
	return newWin(w, memory, err)
}

// WinAllocate is WinCreate of new memory of n elements, all zero (MPI_WIN_ALLOCATE; section 12.2.2): see Win.Memory. Ranks of one host
// share it, and access it without messages (see WithSharedMemory). The memory must not be touched after Free, which ends a program
// that does. ErrCount: n is negative, or so large that this host has no memory for it.
func WinAllocate[T any](c *Comm, n int) (*Win[T], error) {
	kind := datatypeOf[T]()
	w, err := c.core().WinAllocate("mpi.WinAllocate", kind, n, int(kind.Extent()), func() core.Buffer { return view(make([]T, n)) })
	if err != nil {
		return nil, public(err)
	}
	own := w.Memory()
	return newWin(w, unsafe.Slice((*T)(own.Addr), own.Count), nil)
}

func newWin[T any](w *core.Window, memory []T, err error) (*Win[T], error) {
	if err != nil {
		return nil, public(err)
	}
	return &Win[T]{w.View(context.Background()), memory}, nil
}

// core returns the view of w, nil if w is nil.
func (w *Win[T]) core() *core.WindowView { return (*core.WindowView)(unsafe.Pointer(w)) }

// WithContext returns a view of w whose methods give up when ctx ends, with ErrCancelled. What they wait for goes on:
// operations that have been begun are carried out. See Comm.WithContext.
func (w *Win[T]) WithContext(ctx context.Context) *Win[T] {
	if w.core().Null() {
		return w
	}
	return &Win[T]{w.view.View(ctx), w.memory}
}

// Memory is the memory of this rank in the window; nil if w is nil.
func (w *Win[T]) Memory() []T {
	if w == nil {
		return nil
	}
	return w.memory
}

// Free gives the window back, when all ranks have called it (MPI_WIN_FREE; section 12.2.5). Its memory belongs to the program
// again. A rank that is in an epoch gets ErrRMASync, and no rank's window is freed. Collective.
func (w *Win[T]) Free() error { return public(w.core().Free("mpi.Win.Free")) }

// Put copies buf to the target's memory, from the element disp on (MPI_PUT; section 12.3.1). Up to 16 KiB are copied at once; a
// longer buf must not be changed until the operation has completed here, and goes straight into the target's memory.
//
// Errors: ErrRank, ErrDisp, ErrRMASync if there is no epoch, ErrProcFailed. ErrRMARange, if the elements are not within the
// target's memory, is returned by the call that completes the operation. A target ProcNull is none.
func (w *Win[T]) Put(buf []T, target, disp int) error {
	return public(w.core().Put("mpi.Win.Put", view(buf), window.Place{Rank: target, Disp: disp}))
}

// Get copies the target's memory from the element disp on to buf, which must not be used before the operation has completed
// (MPI_GET; section 12.3.2). Errors as for Put.
func (w *Win[T]) Get(buf []T, target, disp int) error {
	return public(w.core().Get("mpi.Win.Get", view(buf), window.Place{Rank: target, Disp: disp}))
}

// Accumulate combines buf with the target's memory from the element disp on, each element atomically: memory[i] = memory[i]
// ∘ buf[i] (MPI_ACCUMULATE; section 12.3.4). op is one of this package: Sum and its like, or Replace. buf may be used again
// when Accumulate returns.
//
// The basic parts of T are the elements, which must be of one type, as in [3]float64, but for Located, which MaxLoc and MinLoc
// take. Errors as for Put; ErrOp for an operation of the program's, or one that T does not have; ErrType if T's parts are of
// several types.
func (w *Win[T]) Accumulate(buf []T, op Op[T], target, disp int) error {
	return public(w.core().Accumulate("mpi.Win.Accumulate", view(buf), reduction(op), window.Place{Rank: target, Disp: disp}))
}

// GetAccumulate is Accumulate, and copies what the memory has held before to result (MPI_GET_ACCUMULATE; section 12.3.4).
// With NoOp buf is not used, and may be nil; otherwise it is as long as result. Errors as for Accumulate, and ErrCount.
func (w *Win[T]) GetAccumulate(buf, result []T, op Op[T], target, disp int) error {
	return public(w.core().GetAccumulate("mpi.Win.GetAccumulate", view(buf), view(result), reduction(op), window.Place{Rank: target, Disp: disp}))
}

// FetchAndOp is GetAccumulate of one element (MPI_FETCH_AND_OP; section 12.3.4). *result has the old value when the
// operation has completed.
func (w *Win[T]) FetchAndOp(value T, result *T, op Op[T], target, disp int) error {
	v := newCell(value)
	defer v.free()
	return public(w.core().GetAccumulate("mpi.Win.FetchAndOp", view(v.in()), view(unsafe.Slice(result, 1)), reduction(op), window.Place{Rank: target, Disp: disp}))
}

// CompareAndSwap puts value in the place of the target's element disp if that is equal to old (MPI_COMPARE_AND_SWAP;
// section 12.3.4). *result has what the element has been when the operation has completed. T is an integer or bool. Errors
// as for Accumulate.
func (w *Win[T]) CompareAndSwap(old, value T, result *T, target, disp int) error {
	v := newCell(old)
	v[1] = value
	defer v.free()
	return public(w.core().CompareAndSwap("mpi.Win.CompareAndSwap", view(v[:]), view(unsafe.Slice(result, 1)), window.Place{Rank: target, Disp: disp}))
}
