package main

// #include "sctpmpi.h"
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

// assertions are those of a synchronization.
type assertions C.int

func assertionsOf(assert C.int) (assertions, error) {
	if assert&^allAssertions != 0 {
		return 0, faultf(errAssert, "%#x has bits that are no assertions", int(assert))
	}
	return assertions(assert), nil
}

func mpiWinFence(w *win, assert assertions) error {
	return w.Fence("MPI_Win_fence", assert&noSucceed == 0)
}

// lockTypes are the constants of locks.
var lockTypes = map[C.int]window.LockType{301: window.Exclusive, 302: window.Shared}

func mpiWinLock(w *win, lock C.int, rank int, _ assertions) error {
	kind, ok := lockTypes[lock]
	switch {
	case !ok:
		return faultf(errLockType, "%d is no type of lock", int(lock))
	case rank == core.ProcNull:
		return nil
	}
	return w.Lock("MPI_Win_lock", kind, rank)
}

func mpiWinUnlock(w *win, rank int) error {
	return w.withTarget("MPI_Win_unlock", rank, (*core.WindowView).Unlock)
}
func mpiWinFlush(w *win, rank int) error {
	return w.withTarget("MPI_Win_flush", rank, (*core.WindowView).Flush)
}
func mpiWinFlushLocal(w *win, rank int) error {
	return w.withTarget("MPI_Win_flush_local", rank, (*core.WindowView).FlushLocal)
}

// withTarget carries out a synchronization with one target. MPI_PROC_NULL is none.
func (w *win) withTarget(op string, rank int, do func(w *core.WindowView, op string, target int) error) error {
	if rank == core.ProcNull {
		return nil
	}
	return do(&w.WindowView, op, rank)
}

func mpiWinLockAll(w *win, _ assertions) error              { return w.LockAll("MPI_Win_lock_all") }
func mpiWinUnlockAll(w *win) error                          { return w.UnlockAll("MPI_Win_unlock_all") }
func mpiWinFlushAll(w *win) error                           { return w.FlushAll("MPI_Win_flush_all") }
func mpiWinFlushLocalAll(w *win) error                      { return w.FlushLocalAll("MPI_Win_flush_local_all") }
func mpiWinSync(w *win) error                               { return w.Sync("MPI_Win_sync") }
func mpiWinPost(w *win, g *groupObject, _ assertions) error { return w.Post("MPI_Win_post", g.Group) }
func mpiWinStart(w *win, g *groupObject, _ assertions) error {
	return w.Start("MPI_Win_start", g.Group)
}
func mpiWinComplete(w *win) error { return w.Complete("MPI_Win_complete") }
func mpiWinWait(w *win) error     { return w.Wait("MPI_Win_wait") }

func mpiWinTest(w *win, flag *C.int) error {
	done, err := w.Test("MPI_Win_test")
	*flag = truth(done)
	return err
}
