package main

/*
#include <stdio.h>
#include "sctpmpi.h"
*/
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/pmix"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/transports"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func init() { core.Foreign = true }

// process is what this process is with respect to MPI.
var process struct {
	mu                     sync.Mutex
	initialized, finalized atomic.Bool
	thread                 int // that has called MPI_Init
	level                  C.int
}

// Levels of thread support. The highest is what all programs have.
const (
	threadFunneled = 1024
	threadMultiple = 4096
)

// outside is the error of a call before MPI_Init or after MPI_Finalize.
func outside() error {
	if process.finalized.Load() {
		return faultf(errOther, "the process has called MPI_Finalize")
	}
	return faultf(errOther, "the process has not called MPI_Init")
}

func mpiInit(_ *C.int, _ unsafe.Pointer) error { return initialize(0) }

func mpiInitThread(_ *C.int, _ unsafe.Pointer, required C.int, provided *C.int) error {
	*provided = min(required, threadMultiple)
	return initialize(*provided)
}

// settings are those of the environment.
func settings() (*startup.Settings, error) {
	s, err := startup.NewSettings("MPI_Init", os.Getenv, transports.Find)
	if err == nil {
		s.Threads, s.Foreign = true, pmix.Open
		s.Profile = "" // Go's profiles show nothing of a program in C
	}
	return s, err
}

// shareProcessors lets more threads be inside Go at the same time than there are processors, if several threads of the program
// may be. One that sleeps or computes in C keeps its place for a while, and others must not wait for that. With fewer
// places Go wakes fewer threads of its own, each of which takes a processor from a program that computes.
func shareProcessors(level C.int) {
	places := threadAndLoop
	if level > threadFunneled {
		places = threadsInGo
	}
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), places))
}

const (
	threadAndLoop = 2
	threadsInGo   = 16
)

func initialize(level C.int) error {
	p := &process
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.finalized.Load():
		return faultf(errOther, "MPI_Init after MPI_Finalize")
	case p.initialized.Load():
		return faultf(errOther, "MPI_Init was called before")
	}
	s, err := settings()
	if err != nil {
		return err
	}
	shareProcessors(level)
	c, err := core.Init("MPI_Init", s)
	if err != nil {
		return err
	}
	all, err := makeComm(c, commWorld, nil)
	if err != nil {
		return err
	}
	alone, err := makeComm(all.Self(), commSelf, nil)
	if err != nil {
		return err
	}
	isRank(all.Rank())
	_ = all.SetName("MPI_COMM_WORLD") // it is usable, and the name is short
	_ = alone.SetName("MPI_COMM_SELF")
	_ = all.LimitProcessBuffer("MPI_Init", 0) // until MPI_Buffer_attach
	world.Store(all)
	self.Store(alone)
	p.thread, p.level = syscall.Gettid(), level
	p.initialized.Store(true)
	return nil
}

// mpiFinalize ends the part of the process in its job. What the program has left undone, such as messages that it never
// received, is said on standard error, and is no error: other libraries do not notice it.
func mpiFinalize() C.int {
	p := &process
	p.mu.Lock()
	defer p.mu.Unlock()
	all := world.Load()
	if all == nil {
		return fail(nil, outside())
	}
	rank := all.Rank()
	err := all.Finalize()
	if _, inJob := all.Compare(&all.View); inJob == nil {
		return fail(all, err)
	}
	countedTo(all)
	p.finalized.Store(true)
	world.Store(nil)
	self.Store(nil)
	if errors.Is(err, rpi.ErrProcFailed) {
		return fail(all, err)
	}
	if err != nil {
		_, text := classOf(err)
		fmt.Fprintf(os.Stderr, "mpi: rank %d: MPI_Finalize: %s\n", rank, text)
	}
	return 0
}

func mpiInitialized() bool             { return process.initialized.Load() }
func mpiFinalized() bool               { return process.finalized.Load() }
func mpiQueryThread() C.int            { return process.level }
func mpiIsThreadMain() bool            { return syscall.Gettid() == process.thread }
func mpiAbort(_ C.uintptr_t, code int) { abort(code, "") }

// abort ends the job, and this process. why is a line for the launcher, which says it; in no job it is said here.
func abort(code int, why string) {
	C.fflush(nil) // what the program has written
	if all := world.Load(); all != nil {
		_ = all.AbortSaying("MPI_Abort", code, why) // the process ends in any case
	} else if why != "" {
		fmt.Fprintln(os.Stderr, "mpi: "+why)
	}
	os.Exit(cmp.Or(code&0xff, 1))
}
