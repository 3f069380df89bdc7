package mpi_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/hostmem"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Memory that a host cannot have is an error of the rank that asks for it, and of the others, which may go on.
func TestWindowsLargerThanTheHost(t *testing.T) {
	onFast(t, 2, func(t *testing.T, world *mpi.Comm) {
		most := int(hostmem.Most() / 8)
		for _, n := range []int{-1, most + 1, math.MaxInt} {
			mine := 1
			if world.Rank() == 1 {
				mine = n
			}
			_, err := mpi.WinAllocate[float64](world, mine)
			if world.Rank() == 1 {
				require.ErrorIs(t, err, mpi.ErrCount, n)
			} else {
				require.Error(t, err, n)
			}
			require.NoError(t, world.Barrier())
		}
		// Of a shared window no rank asks for too much alone.
		_, err := mpi.WinAllocateShared[float64](world, most/2+1)
		require.ErrorIs(t, err, mpi.ErrRMAShared)
		require.NoError(t, world.Barrier())
	})
}
