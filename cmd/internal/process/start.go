package process

import (
	"errors"
	"io/fs"
	"runtime"
	"runtime/debug"
	"sync"
)

// defaultMaxThreads is Go's default for the threads of a process.
const defaultMaxThreads = 10_000

// starters is how many processes are started at a time: starting one waits for its program to be read and for the kernel.
const starters = 8

// StartAll calls start for each index below n in turn, several at a time, until halted says so, and returns when the last
// call has returned. Linux kills a child when the thread that made it ends, not the process, so the goroutines that start
// processes keep their threads until over is closed.
func StartAll(n int, halted func() bool, over <-chan struct{}, start func(i int)) {
	debug.SetMaxThreads(max(defaultMaxThreads, 2*n)) // one for each process, see tasksOfRank
	indices := make(chan int)
	var tried sync.WaitGroup
	for range min(starters, n) {
		tried.Add(1)
		go func() {
			runtime.LockOSThread()
			for i := range indices {
				start(i)
			}
			tried.Done()
			<-over
		}()
	}
	for i := 0; i < n && !halted(); i++ {
		indices <- i
	}
	close(indices)
	tried.Wait()
}

// Exit statuses for a program that cannot be started.
const (
	StatusFailed      = 1
	StatusNotRunnable = 126 // as in a shell
	StatusNotFound    = 127 // as in a shell
)

// StartStatus is the exit status for an error of [Start].
func StartStatus(err error) int {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return StatusNotFound
	case errors.Is(err, fs.ErrPermission), isExecFormat(err):
		return StatusNotRunnable
	}
	return StatusFailed
}
