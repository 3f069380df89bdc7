package mpi_test

import (
	"slices"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/internal/mpitest"
)

// One-sided operations of all kinds, in epochs of all kinds, leave in memory, and read, what the standard says.
func TestRandomProgramsOfOneSidedOperations(t *testing.T) {
	modes, number, carriers := 1, uint64(1), carriers
	if long() {
		modes, number = len(progressModes), 20
	} else {
		carriers = slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return c.slow || c.impaired })
	}
	everySeed(t, carriers, number, modes, func(t *testing.T, transport, mode string, seed uint64) {
		runHere(t, transport, mode, mpitest.Windows(seed, randomRanks))
	})
}
