package mpi

import "unsafe"

// WinAllocateShared makes a window of new memory that all ranks can use directly, as their own (MPI_WIN_ALLOCATE_SHARED;
// MPI 4.1, section 12.2.3). This rank has n elements of it: see Win.Memory. The others' are at SharedQuery. All are one
// piece, in the order of ranks. The memory must not be touched after Free, which ends a program that does.
//
// Loads and stores of different ranks are ordered by Fence, or by Sync with a message or collective operation between the ranks,
// or by package sync/atomic. All ranks must be on one host: ErrRMAShared. Comm.SplitType gives them a communicator. Collective.
func WinAllocateShared[T any](c *Comm, n int) (*Win[T], error) {
	const op = "mpi.WinAllocateShared"
	kind := datatypeOf[T]()
	w, err := c.core().WinAllocateShared(op, kind, n, int(kind.Extent()))
	if err != nil {
		return nil, public(err)
	}
	win, _ := newWin[T](w, nil, nil)
	win.memory, err = win.SharedQuery(c.Rank())
	return win, err
}

// SharedQuery returns the memory of a rank in a window of WinAllocateShared (MPI_WIN_SHARED_QUERY; section 12.2.3): not a
// copy. ProcNull is the first rank that has any. Errors: ErrRank; ErrWin for another window.
func (w *Win[T]) SharedQuery(rank int) ([]T, error) {
	b, _, err := w.core().SharedQuery("mpi.Win.SharedQuery", rank)
	if err != nil {
		return nil, public(err)
	}
	return unsafe.Slice((*T)(b.Addr), b.Count), nil
}

// WinCreateDynamic makes a window without memory, which ranks add and take away by Attach and Detach (MPI_WIN_CREATE_DYNAMIC;
// section 12.2.4). Displacements are in bytes: see Attach. Collective.
func WinCreateDynamic[T any](c *Comm) (*Win[T], error) {
	w, err := c.core().WinCreateDynamic("mpi.WinCreateDynamic", datatypeOf[T]())
	return newWin[T](w, nil, err)
}

// Attach adds memory to a window of WinCreateDynamic (MPI_WIN_ATTACH; section 12.2.4). It returns the displacement of its
// first element for operations of other ranks, which the program tells them. That of the element i is larger by i times the
// size of T in bytes. Errors: ErrRMAAttach if a part is attached already, ErrWin for another window.
func (w *Win[T]) Attach(memory []T) (disp int, err error) {
	address, err := w.core().Attach("mpi.Win.Attach", view(memory))
	return int(address), public(err)
}

// Detach takes away memory that Attach has added, when no operations on it are under way (MPI_WIN_DETACH; section 12.2.4).
func (w *Win[T]) Detach(memory []T) error {
	return public(w.core().Detach("mpi.Win.Detach", view(memory)))
}
