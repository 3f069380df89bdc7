package mpi

import (
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// process is one MPI process: a member of a job.
type process struct {
	rank, size int
	// crowded: the ranks of rank 0's host are more than the processors that it may use,
	// which its card tells the others. Then the number of messages counts, and not how
	// many of them follow on each other.
	crowded   bool
	transport rpi.Transport
	launcher  launcher
	contexts  atomic.Uint64 // contexts made so far
	finalized atomic.Bool
	leave     func() // called when the process has left its job
}

// A context is made of the rank in the job of the process that makes it, a
// number that this process never uses again, and the collective bit, so that
// no two communicators of a job ever have the same. The world's has number 0.
const (
	contextNumberBits = 39
	maxJobSize        = 1 << (63 - contextNumberBits)
)

// newContext returns a context that no communicator of the job has had.
func (p *process) newContext() matching.Context {
	number := p.contexts.Add(1)
	return matching.Context(uint64(p.rank)<<(contextNumberBits+1) | number<<1)
}

// world returns the communicator of all processes.
func (p *process) world() *Comm {
	return newComm(p, 0, p.rank, group{size: p.size})
}
