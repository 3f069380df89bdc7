package core

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/failure"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A rank that an error names as dead is in GetFailed when the program has the error, though the transport has not missed it yet. One
// that leaves by its own account is not dead.
func TestARankThatAnErrorNamesIsInGetFailed(t *testing.T) {
	p := &process{rank: 0, size: 4}
	p.affected.Do(func() {}) // there is no launcher to be told
	c := &Comm{process: p, group: group.First(4), peers: group.First(4), failures: new(failure.State)}
	p.failures.Open(c.failures, c.context, c.group, c.peers, c.revoke)
	c.state.Store(ready)
	view := c.View(t.Context())
	failed := func() (ranks []int) {
		g, err := view.GetFailed("MPIX")
		require.NoError(t, err)
		for i := range g.Size() {
			ranks = append(ranks, int(g.members().Member(i)))
		}
		return ranks
	}
	const teller, dead, leaving = 1, 2, 3
	require.Equal(t, leaving, c.elsewhere("MPI_Barrier", rpi.ErrProcFailed, leaving, leaving).Rank)
	require.Equal(t, dead, c.elsewhere("MPI_Barrier", rpi.ErrOther, dead, teller).Rank)
	require.Empty(t, failed())
	require.Equal(t, dead, c.elsewhere("MPI_Barrier", rpi.ErrProcFailed, dead, teller).Rank)
	require.Equal(t, []int{dead}, failed())
	p.failures.Report(dead)
	require.Equal(t, []int{dead}, failed(), "it is there once")
}
