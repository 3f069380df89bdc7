package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Free says that the program does not need the request any more. If it is active, its operation goes on all the same (MPI 4.1,
// section 3.7.3), and what it needs is given back when that has completed.
func (r *Request) Free(op string) error {
	if r.null() {
		return mpierr.Invalid(op, rpi.ErrRequest, "the request is nil")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settle()
	switch {
	case r.freed:
		return mpierr.Invalid(op, rpi.ErrRequest, "the request has been freed")
	case !r.settled && !r.independent():
		return mpierr.Invalid(op, rpi.ErrRequest, "the request of %s is active, and a collective or partitioned operation cannot be freed then", r.op)
	}
	r.freed = true
	r.returned.Store(true)
	if !r.starting {
		r.leave()
	}
	r.recycle()
	return nil
}

// independent reports whether the operation goes on without its request.
func (r *Request) independent() bool {
	switch r.work.(type) {
	case *generalized, *exchange:
		return true
	}
	return r.message
}

// leave has an operation end though no goroutine asks for its outcome. That of a generalized request ends in Complete, as it
// calls functions of the program.
func (r *Request) leave() {
	if _, ends := r.work.(*generalized); r.settled || ends {
		return
	}
	if !r.raw.Follow((*freedRequest)(r)) {
		r.settle()
	}
}

// freedRequest is what follows the operation of a request that was freed when it was active.
type freedRequest Request

// Completed implements rpi.Follower.
func (f *freedRequest) Completed(*rpi.Request) { f.comm.process.collectives.Continuations.Add(f) }

// Run implements rpi.Runner.
func (f *freedRequest) Run(bool) {
	r := (*Request)(f)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settle()
}
