package mpi_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/mpitest"
)

// When ranks die at any place, the others learn of it, shrink the communicator and go on, and what they then get is right.
func TestRandomProgramsWithDeaths(t *testing.T) {
	fast := slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return c.impaired || c.slow })
	everySeed(t, fast, 2, 1, func(t *testing.T, transport, mode string, seed uint64) {
		p := mpitest.NewSurvivors(seed, randomRanks)
		err := mpi.RunLocal(p.Size, p.Run, mpi.WithTransport(transport), mpi.WithProgress(mode),
			mpi.WithEagerLimit(p.EagerLimit), mpi.WithUnexpectedLimit(p.UnexpectedLimit))
		for _, e := range unjoin(err) {
			require.ErrorIs(t, e, mpitest.ErrKilled)
		}
	})
}
