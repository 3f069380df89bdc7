package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
)

// Assertions of windows (MPI 4.1, section 12.5.5). Only that no epoch follows changes what is done.
const (
	noSucceed     = 16384
	allAssertions = 1024 | 2048 | 4096 | 8192 | noSucceed
)

// synchronize carries out a synchronization of a window.
func synchronize(h C.uintptr_t, assert C.int, do func(w *win) error) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	if assert&^allAssertions != 0 {
		return fail(w, faultf(errAssert, "%#x has bits that are no assertions", int(assert)))
	}
	return fail(w, do(w))
}

//export sctpmpi_Win_fence
func sctpmpi_Win_fence(assert C.int, h C.uintptr_t) C.int {
	return synchronize(h, assert, func(w *win) error { return w.Fence("MPI_Win_fence", assert&noSucceed == 0) })
}

// lockTypes are the constants of locks.
var lockTypes = map[C.int]window.LockType{301: window.Exclusive, 302: window.Shared}

//export sctpmpi_Win_lock
func sctpmpi_Win_lock(lock, rank, assert C.int, h C.uintptr_t) C.int {
	return synchronize(h, assert, func(w *win) error {
		kind, ok := lockTypes[lock]
		switch {
		case !ok:
			return faultf(errLockType, "%d is no type of lock", int(lock))
		case rank == procNull:
			return nil
		}
		return w.Lock("MPI_Win_lock", kind, rankOf(rank))
	})
}

//export sctpmpi_Win_unlock
func sctpmpi_Win_unlock(rank C.int, h C.uintptr_t) C.int {
	return withTarget(rank, h, "MPI_Win_unlock", (*core.WindowView).Unlock)
}

//export sctpmpi_Win_flush
func sctpmpi_Win_flush(rank C.int, h C.uintptr_t) C.int {
	return withTarget(rank, h, "MPI_Win_flush", (*core.WindowView).Flush)
}

//export sctpmpi_Win_flush_local
func sctpmpi_Win_flush_local(rank C.int, h C.uintptr_t) C.int {
	return withTarget(rank, h, "MPI_Win_flush_local", (*core.WindowView).FlushLocal)
}

// withTarget carries out a synchronization with one target. MPI_PROC_NULL is none.
func withTarget(rank C.int, h C.uintptr_t, op string, do func(w *core.WindowView, op string, target int) error) C.int {
	return synchronize(h, 0, func(w *win) error {
		if rank == procNull {
			return nil
		}
		return do(&w.WindowView, op, rankOf(rank))
	})
}

//export sctpmpi_Win_lock_all
func sctpmpi_Win_lock_all(assert C.int, h C.uintptr_t) C.int {
	return synchronize(h, assert, func(w *win) error { return w.LockAll("MPI_Win_lock_all") })
}

//export sctpmpi_Win_unlock_all
func sctpmpi_Win_unlock_all(h C.uintptr_t) C.int {
	return synchronize(h, 0, func(w *win) error { return w.UnlockAll("MPI_Win_unlock_all") })
}

//export sctpmpi_Win_flush_all
func sctpmpi_Win_flush_all(h C.uintptr_t) C.int {
	return synchronize(h, 0, func(w *win) error { return w.FlushAll("MPI_Win_flush_all") })
}

//export sctpmpi_Win_flush_local_all
func sctpmpi_Win_flush_local_all(h C.uintptr_t) C.int {
	return synchronize(h, 0, func(w *win) error { return w.FlushLocalAll("MPI_Win_flush_local_all") })
}

//export sctpmpi_Win_sync
func sctpmpi_Win_sync(h C.uintptr_t) C.int {
	return synchronize(h, 0, func(w *win) error { return w.Sync("MPI_Win_sync") })
}

//export sctpmpi_Win_post
func sctpmpi_Win_post(group C.uintptr_t, assert C.int, h C.uintptr_t) C.int {
	return synchronize(h, assert, func(w *win) error {
		g, err := groupOf(group)
		if err != nil {
			return err
		}
		return w.Post("MPI_Win_post", g.Group)
	})
}

//export sctpmpi_Win_start
func sctpmpi_Win_start(group C.uintptr_t, assert C.int, h C.uintptr_t) C.int {
	return synchronize(h, assert, func(w *win) error {
		g, err := groupOf(group)
		if err != nil {
			return err
		}
		return w.Start("MPI_Win_start", g.Group)
	})
}

//export sctpmpi_Win_complete
func sctpmpi_Win_complete(h C.uintptr_t) C.int {
	return synchronize(h, 0, func(w *win) error { return w.Complete("MPI_Win_complete") })
}

//export sctpmpi_Win_wait
func sctpmpi_Win_wait(h C.uintptr_t) C.int {
	return synchronize(h, 0, func(w *win) error { return w.Wait("MPI_Win_wait") })
}

//export sctpmpi_Win_test
func sctpmpi_Win_test(h C.uintptr_t, flag *C.int) C.int {
	return synchronize(h, 0, func(w *win) error {
		done, err := w.Test("MPI_Win_test")
		*flag = truth(done)
		return err
	})
}
