package bt

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow/flowtest"
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

func TestResultIsTheSameOnAnyRanks(t *testing.T) { flowtest.SameOnAnyRanks(t, benchmark, small) }

func TestRefusals(t *testing.T) {
	flowtest.Refuses(t, Kernel,
		flowtest.Refusal{Ranks: 1, Class: 'X', Want: "bt has no class X"},
		flowtest.Refusal{Ranks: 2, Class: 'S', Want: "bt runs on a square of ranks, 1, 4, 9 …, not on 2"},
		flowtest.Refusal{Ranks: 49, Class: 'S', Want: "bt runs in class S on at most 36 ranks, not on 49"},
	)
}
