package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core/window"

// Assert says what a program knows when it synchronizes a window (MPI 4.1, section 12.5.5). Values are combined with |.
// Those without an effect here are accepted.
type Assert int

// The assertions.
const (
	NoCheck   Assert = 1 << iota // no lock conflicts, or the matching call has been made (MPI_MODE_NOCHECK)
	NoStore                      // the window's memory was not changed by this rank since the last synchronization
	NoPut                        // it will not be changed by others until the next
	NoPrecede                    // Fence ends no epoch with operations of this rank
	NoSucceed                    // Fence begins no epoch with operations
)

// LockType is the kind of a lock of Win.Lock.
type LockType uint8

// The kinds of locks (MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE): of a target with an exclusive one no other rank has a lock.
const (
	LockShared    LockType = LockType(window.Shared)
	LockExclusive LockType = LockType(window.Exclusive)
)

// Fence completes the operations of all ranks on the window, and begins the next epoch, in which each rank may access all
// others, unless asserts has NoSucceed (MPI_WIN_FENCE; section 12.5.1). Collective. Errors: of the operations of this rank;
// ErrRMASync if it holds locks.
func (w *Win[T]) Fence(asserts ...Assert) error {
	next := true
	for _, a := range asserts {
		next = next && a&NoSucceed == 0
	}
	return public(w.core().Fence("mpi.Win.Fence", next))
}

// Lock begins an epoch with one target, when its lock can be had (MPI_WIN_LOCK; section 12.5.3). Ranks get it in the order
// in which they ask; shared locks together. A rank may lock several targets. Errors: ErrRank, ErrArg for the lock,
// ErrRMASync if another epoch is open, ErrProcFailed.
func (w *Win[T]) Lock(lock LockType, target int, asserts ...Assert) error {
	return public(w.core().Lock("mpi.Win.Lock", window.LockType(lock), target))
}

// Unlock ends the epoch that Lock has begun (MPI_WIN_UNLOCK; section 12.5.3): its operations are complete, here and at
// the target. Errors: those of the operations; ErrRMASync if there is no such epoch.
func (w *Win[T]) Unlock(target int) error { return public(w.core().Unlock("mpi.Win.Unlock", target)) }

// LockAll begins an epoch with all ranks, and gets the shared locks of all (MPI_WIN_LOCK_ALL; section 12.5.3). It is not
// collective. Errors as for Lock; then no lock is held.
func (w *Win[T]) LockAll(asserts ...Assert) error { return public(w.core().LockAll("mpi.Win.LockAll")) }

// UnlockAll ends the epoch that LockAll has begun, as Unlock does (MPI_WIN_UNLOCK_ALL; section 12.5.3).
func (w *Win[T]) UnlockAll() error { return public(w.core().UnlockAll("mpi.Win.UnlockAll")) }

// Flush completes the operations so far with one target, here and there, in an epoch of Lock or LockAll (MPI_WIN_FLUSH;
// section 12.5.4). Errors: those of the operations; ErrRMASync if there is no such epoch.
func (w *Win[T]) Flush(target int) error { return public(w.core().Flush("mpi.Win.Flush", target)) }

// FlushAll is Flush of all targets (MPI_WIN_FLUSH_ALL; section 12.5.4).
func (w *Win[T]) FlushAll() error { return public(w.core().FlushAll("mpi.Win.FlushAll")) }

// FlushLocal completes the operations so far with one target here: their buffers may be used again (MPI_WIN_FLUSH_LOCAL;
// section 12.5.4).
func (w *Win[T]) FlushLocal(target int) error {
	return public(w.core().FlushLocal("mpi.Win.FlushLocal", target))
}

// FlushLocalAll is FlushLocal of all targets (MPI_WIN_FLUSH_LOCAL_ALL; section 12.5.4).
func (w *Win[T]) FlushLocalAll() error {
	return public(w.core().FlushLocalAll("mpi.Win.FlushLocalAll"))
}

// Sync makes what this rank has stored in its own memory visible to the operations of others, and the other way round, in
// an epoch of Lock or LockAll (MPI_WIN_SYNC; section 12.5.4). It completes nothing.
func (w *Win[T]) Sync() error { return public(w.core().Sync("mpi.Win.Sync")) }

// Post begins an epoch in which the processes of a group may access this rank's memory, when they call Start (MPI_WIN_POST;
// section 12.5.2). It does not wait. Wait or Test ends it. Errors: ErrRank if a process has no part in the window,
// ErrRMASync if such an epoch is open.
func (w *Win[T]) Post(origins *Group, asserts ...Assert) error {
	return public(w.core().Post("mpi.Win.Post", origins.core()))
}

// Start begins an epoch with the targets of a group, when they have called Post (MPI_WIN_START; section 12.5.2). Errors:
// ErrRank if a process has no part in the window, ErrRMASync if another epoch is open.
func (w *Win[T]) Start(targets *Group, asserts ...Assert) error {
	return public(w.core().Start("mpi.Win.Start", targets.core()))
}

// Complete ends the epoch that Start has begun: its operations are complete, here and at the targets (MPI_WIN_COMPLETE;
// section 12.5.2). Errors: those of the operations; ErrRMASync if there is no such epoch.
func (w *Win[T]) Complete() error { return public(w.core().Complete("mpi.Win.Complete")) }

// Wait ends the epoch that Post has begun, when all its origins have called Complete (MPI_WIN_WAIT; section 12.5.2).
// Errors: ErrProcFailed if one of them is gone; ErrRMASync if there is no such epoch.
func (w *Win[T]) Wait() error { return public(w.core().Wait("mpi.Win.Wait")) }

// Test is Wait if all origins have called Complete already; otherwise it reports false (MPI_WIN_TEST; section 12.5.2).
func (w *Win[T]) Test() (bool, error) { return valueOr(w.core().Test("mpi.Win.Test")) }
