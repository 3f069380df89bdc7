// Package flowtest has what the tests of the benchmarks on package flow have in common.
package flowtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// SameOnAnyRanks tests that a problem has one result on all numbers of ranks.
func SameOnAnyRanks(t *testing.T, b flow.Partitioned, p flow.Problem) {
	var norms []flow.Norms
	for _, ranks := range []int{1, 4, 9, 16} {
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			grid := flow.NewPartition(world, p.Points)
			b.New(grid, p)(p.Iterations)
			grid.Differ()
			if n := flow.Measure(world, grid.Blocks, true); world.Rank() == 0 {
				norms = append(norms, n)
			}
			return grid.Free()
		}, mpi.WithTransport("tcp-perpair")))
	}
	Same(t, norms, 1e-9)
}

// Same tests that the norms of several runs are the same, but for rounding.
func Same(t *testing.T, norms []flow.Norms, tolerance float64) {
	for i, n := range norms {
		for _, c := range n.Checks(norms[0]) {
			assert.InEpsilon(t, c.Want, c.Got, tolerance, "%s, run %d", c.Name, i)
		}
	}
}

// Refusal is what a kernel says to a class on so many ranks.
type Refusal struct {
	Ranks int
	Class nas.Class
	Want  string
}

// Refuses tests that a kernel refuses.
func Refuses(t *testing.T, k nas.Kernel, refusals ...Refusal) {
	for _, r := range refusals {
		t.Run(fmt.Sprint(r.Ranks, " ranks"), func(t *testing.T) {
			require.NoError(t, mpi.RunLocal(r.Ranks, func(world *mpi.Comm) error {
				_, err := k.Run(world, r.Class)
				assert.EqualError(t, err, r.Want)
				return nil
			}, mpi.WithTransport("tcp-perpair")))
		})
	}
}
