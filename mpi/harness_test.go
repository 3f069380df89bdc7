package mpi_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
)

// transports are those that this host has.
func transports() []string {
	return slices.DeleteFunc(mpi.Transports(), func(name string) bool {
		return name == sctprpi.KernelName && kernel.Probe() != nil
	})
}

// forEachTransport runs a test over every transport that there is.
func forEachTransport(t *testing.T, test func(t *testing.T, options ...mpi.Option)) {
	for _, name := range transports() {
		t.Run(name, func(t *testing.T) { test(t, mpi.WithTransport(name)) })
	}
}

// forEachFastTransport runs a test over those that are not impaired: where allocations
// count, or where what a rank has sent must have arrived when it dies.
func forEachFastTransport(t *testing.T, test func(t *testing.T, options ...mpi.Option)) {
	for _, name := range transports() {
		if name != mpi.Impaired {
			t.Run(name, func(t *testing.T) { test(t, mpi.WithTransport(name)) })
		}
	}
}

// ranks runs fn as n ranks, over every transport. A rank whose assertion fails
// ends, and is dead to the others, so that the test does not hang.
func ranks(t *testing.T, n int, fn func(t *testing.T, world *mpi.Comm), options ...mpi.Option) {
	t.Helper()
	forEachTransport(t, func(t *testing.T, transport ...mpi.Option) {
		require.NoError(t, mpi.RunLocal(n, func(world *mpi.Comm) error {
			fn(t, world)
			return nil
		}, append(transport, options...)...))
	})
}

// wait waits for a request that must succeed.
func wait(t *testing.T, r *mpi.Request) mpi.Status {
	t.Helper()
	status, err := r.Wait(context.Background())
	require.NoError(t, err)
	return status
}

// must takes the request of a call that must succeed.
func must(t *testing.T) func(r *mpi.Request, err error) *mpi.Request {
	return func(r *mpi.Request, err error) *mpi.Request {
		t.Helper()
		require.NoError(t, err)
		return r
	}
}

// sequence returns the numbers from first on.
func sequence(first, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = first + i
	}
	return s
}
