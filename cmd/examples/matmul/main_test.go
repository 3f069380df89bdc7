package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// The product is the one that the definition gives, however many ranks there are, and more of them than rows too.
func TestMatmul(t *testing.T) {
	const n = 5
	a, b, want, diagonal := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), 0.0
	for i := range n * n {
		a[i], b[i] = float64(i), float64(i*i%11)
	}
	for i := range n {
		for j := range n {
			for k := range n {
				want[i*n+j] += a[i*n+k] * b[k*n+j]
			}
		}
		diagonal += want[i*n+i]
	}
	for _, ranks := range []int{1, 2, 3, 7} {
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			first, rows := share(world, world.Rank(), n)
			mine := func(m []float64) []float64 { return m[first*n : (first+rows)*n] }
			product := multiply(world, n, mine(a), mine(b))
			require.Equal(t, mine(want), product)
			if sum := trace(world, n, product); world.Rank() == 0 {
				require.InDelta(t, diagonal, sum, 0)
			}
			return nil
		}))
	}
}
