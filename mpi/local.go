package mpi

import (
	"os"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// RunLocal runs fn as n ranks, each in a goroutine of its own with a transport
// of its own over loopback: for tests, examples, and programs that use one
// host only. The ranks share only what fn shares.
//
// A rank whose fn returns an error, panics or ends its goroutine is dead to
// the others: operations that need it fail with ErrProcFailed, so that none
// hangs. RunLocal returns when all ranks have ended, with the errors of all,
// each with its rank, in the order in which they occurred; that of a panic has
// the stack.
//
// Options and environment are those of Init, except that interface, ports and
// token are RunLocal's own.
func RunLocal(n int, fn func(world *Comm) error, options ...Option) error {
	const op = "mpi.RunLocal"
	s, err := newSettings(op, os.Getenv, options)
	if err != nil {
		return err
	}
	return public(core.RunLocal(op, n, s, func(world *core.Comm) error { return fn(newComm(world).WithContext(s.Context)) }))
}
