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
		require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
			other := 1 - world.Rank()
			return steady(t, world, func() {
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
			})
		}, options...))
	})
}
