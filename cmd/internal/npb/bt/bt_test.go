package bt

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// small is a problem of nine points in each direction.
var small = flow.Problem{Points: 9, Iterations: 5, Step: 0.01}

// uneven is a block whose values are all other than at the beginning, each by another amount.
func uneven() *flow.Block {
	b := flow.NewBlock(small.Points, [3]int{}, [3]int{small.Points, small.Points, small.Points})
	for i := range b.U {
		for m := range b.U[i] {
			b.U[i][m] += 0.01 * math.Sin(float64(7*i+m))
		}
	}
	b.Differ()
	return b
}

// The matrix of a line is that of a step backwards in time: 1 less the step times the derivative of the residual, without
// damping. A point's own block has one direction of three.
func TestBlocksAreDerivativesOfTheResidual(t *testing.T) {
	b, c := uneven(), newCoupling(small.Points, small.Step)
	p := b.Index(4, 3, 4)
	derivative := func(q, m int) (all flow.State) { // of the residual at p by value m at q
		const change = 1e-6
		value := b.U[q][m]
		for _, sign := range []float64{-1, 1} {
			b.U[q][m] = value + sign*change
			b.Differ()
			for k, r := range b.Residual[p] {
				all[k] += sign * r / (2 * change)
			}
		}
		b.U[q][m] = value
		b.Differ()
		return all
	}
	var middles matrix // of all directions, as one direction is not in the residual alone
	for d := range 3 {
		var block matrix
		c.middle(&block, &b.U[p], &b.Flow[p], d)
		for i := range block {
			block[i][i]--
			for j, v := range block[i] {
				middles[i][j] += v
			}
		}
		for _, up := range []int{-1, 1} {
			q := p + up*b.Stride[d]
			c.neighbour(&block, &b.U[q], &b.Flow[q], d, float64(up))
			for j := range 5 {
				for i, v := range derivative(q, j) {
					if i == j {
						v -= 4 * flow.Damping
					}
					assert.InDelta(t, -small.Step*v, block[i][j], 1e-6, "direction %d, %d, row %d, column %d", d, up, i, j)
				}
			}
		}
	}
	for j := range 5 {
		for i, v := range derivative(p, j) {
			if i == j {
				v += 3 * 6 * flow.Damping
			}
			assert.InDelta(t, -small.Step*v, middles[i][j], 1e-6, "row %d, column %d", i, j)
		}
	}
}

func TestMatrixDividesAndSubtracts(t *testing.T) {
	var m, c matrix
	var r flow.State
	for i := range m {
		r[i] = math.Cos(float64(i))
		for j := range m[i] {
			m[i][j], c[i][j] = 0.3*math.Sin(float64(5*i+j)), math.Sin(float64(3*i+2*j))
		}
		m[i][i]++
	}
	product, right, destroyed := c, r, m
	destroyed.divide(&c, &r)
	product.subtract(&m, &c)
	subtract(&right, &m, &r)
	for i := range product {
		assert.InDeltaSlice(t, []float64{0, 0, 0, 0, 0}, product[i][:], 1e-14)
	}
	assert.InDeltaSlice(t, []float64{0, 0, 0, 0, 0}, right[:], 1e-14)
}

func TestResultIsTheSameOnAnyRanks(t *testing.T) {
	var norms []flow.Norms
	for _, ranks := range []int{1, 4, 9, 16} {
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			grid, err := flow.NewPartition(world, small.Points)
			if err != nil {
				return err
			}
			s := newSolver(grid, small)
			if err := errors.Join(s.solve(small.Iterations), s.grid.Differ()); err != nil {
				return err
			}
			n, err := flow.Measure(world, s.grid.Blocks, true)
			if world.Rank() == 0 {
				norms = append(norms, n)
			}
			return errors.Join(err, s.grid.Free())
		}, mpi.WithTransport("tcp-perpair")))
	}
	for i, n := range norms {
		for _, c := range n.Checks(norms[0]) {
			assert.InEpsilon(t, c.Want, c.Got, 1e-9, "%s, run %d", c.Name, i)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, refusal := range []struct {
		ranks int
		class nas.Class
		want  string
	}{
		{1, 'X', "bt has no class X"},
		{2, 'S', "bt runs on a square of ranks, 1, 4, 9 …, not on 2"},
		{49, 'S', "bt runs in class S on at most 36 ranks, not on 49"},
	} {
		t.Run(fmt.Sprint(refusal.ranks, " ranks"), func(t *testing.T) {
			require.NoError(t, mpi.RunLocal(refusal.ranks, func(world *mpi.Comm) error {
				_, err := Kernel.Run(world, refusal.class)
				assert.EqualError(t, err, refusal.want)
				return nil
			}, mpi.WithTransport("tcp-perpair")))
		})
	}
}
