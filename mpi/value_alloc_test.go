//go:build !race

package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Operations on values allocate nothing in the long run.
func TestValuesDoNotAllocate(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		const warm, runs = 100, 200
		require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
			other := 1 - world.Rank()
			once := func() {
				if _, _, err := mpi.SendrecvValue(world, record{}, other, 0, other, 0); err != nil {
					t.Error(err)
				}
				if _, err := mpi.BcastValue(world, 1.5, 1); err != nil {
					t.Error(err)
				}
				if _, err := mpi.AllreduceValue(world, 1, mpi.Sum); err != nil {
					t.Error(err)
				}
				if _, err := mpi.ExscanValue(world, 1, mpi.Max); err != nil {
					t.Error(err)
				}
			}
			for range warm {
				once()
			}
			if world.Rank() == 0 {
				require.Zero(t, testing.AllocsPerRun(runs, once))
				return nil
			}
			for range runs + 1 { // AllocsPerRun calls once more to warm up
				once()
			}
			return nil
		}, options...))
	})
}
