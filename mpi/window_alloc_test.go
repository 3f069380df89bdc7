//go:build !race

package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
)

// One-sided operations allocate nothing in the long run, at the origin and at the target.
func TestOneSidedOperationsDoNotAllocate(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
			w, err := mpi.WinAllocate[int64](world, 1<<17)
			require.NoError(t, err)
			if world.Rank() == 0 {
				require.NoError(t, w.LockAll())
				one, long, result := make([]int64, 1), make([]int64, 1<<17), new(int64)
				for name, once := range map[string]func() error{
					"Put":        func() error { return w.Put(one, 1, 0) },
					"Get":        func() error { return w.Get(one, 1, 0) },
					"Accumulate": func() error { return w.Accumulate(one, mpi.Sum, 1, 0) },
					"FetchAndOp": func() error { return w.FetchAndOp(1, result, mpi.Sum, 1, 0) },
					"long Put":   func() error { return w.Put(long, 1, 0) },
					"long Get":   func() error { return w.Get(long, 1, 0) },
				} {
					operation := func() {
						require.NoError(t, once())
						require.NoError(t, w.Flush(1))
					}
					for range 100 {
						operation()
					}
					require.Zero(t, rpitest.WholeAllocations(100, operation), name)
				}
				require.NoError(t, w.UnlockAll())
			}
			return w.Free()
		}, options...))
	})
}
