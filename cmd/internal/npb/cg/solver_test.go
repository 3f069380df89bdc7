package cg

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// small is a problem whose order no grid divides.
var small = problem{order: 101, nonzero: 4, iterations: 2, shift: 10}

// dense is the matrix of the problem, as it is specified.
func dense(p problem) [][]float64 {
	m := assemble(p, span{0, p.order}, span{0, p.order})
	a := make([][]float64, p.order)
	for i := range a {
		a[i] = make([]float64, p.order)
		for k := m.starts[i]; k < m.starts[i+1]; k++ {
			a[i][m.columns[k]] = m.values[k]
		}
	}
	return a
}

func TestMatrixIsSymmetric(t *testing.T) {
	a := dense(small)
	for i := range a {
		for j := range a {
			assert.InDelta(t, a[j][i], a[i][j], 1e-15)
		}
		assert.Negative(t, a[i][i], "the shift is on the diagonal")
	}
}

func TestProductOnAnyGridIsThatOfTheWholeMatrix(t *testing.T) {
	a := dense(small)
	for ranks := 1; ranks <= 16; ranks *= 2 {
		t.Run(fmt.Sprint(ranks, " ranks"), func(t *testing.T) {
			require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
				s := newSolver(world, small)
				first, _ := nas.Share(small.order, s.row.Size(), s.row.Rank())
				for i := range s.x {
					s.x[i] = float64(first + i)
				}
				s.multiply(s.q, s.x)
				for i, got := range s.q {
					want := 0.
					for j, value := range a[first+i] {
						want += value * float64(j)
					}
					assert.InEpsilon(t, want, got, 1e-12)
				}
				return s.row.Free()
			}, mpi.WithTransport("tcp-perpair")))
		})
	}
}

func TestZetaIsTheSameOnAnyGrid(t *testing.T) {
	var zetas []float64
	for ranks := 1; ranks <= 8; ranks *= 2 {
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			zeta, residual := newSolver(world, small).estimate(small.iterations)
			assert.Less(t, residual, 1e-6)
			if world.Rank() == 0 {
				zetas = append(zetas, zeta)
			}
			return nil
		}, mpi.WithTransport("tcp-perpair")))
	}
	for _, zeta := range zetas {
		assert.InEpsilon(t, zetas[0], zeta, 1e-10)
	}
}

func TestRefusals(t *testing.T) {
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		_, err := Kernel.Run(world, 'X')
		assert.EqualError(t, err, "cg has no class X")
		_, err = Kernel.Run(world, 'S')
		assert.EqualError(t, err, "cg runs on a power of two of ranks, not on 3")
		return nil
	}))
}
