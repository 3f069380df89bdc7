package lu

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow/flowtest"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// small is a problem of eight points in each direction.
var small = problem{points: 8, iterations: 5, step: 0.5}

// uneven changes all values by a little, each by another amount.
func uneven(states []flow.State) {
	for i := range states {
		for m := range states[i] {
			states[i][m] += 0.01 * math.Sin(float64(7*i+m))
		}
	}
}

// The linear system is that of a step backwards in time: what it makes of v is v less the step times the change of the
// residual, without damping, if the states change by v. Relaxation is only in the terms of neighbours.
func TestSystemIsTheDerivativeOfTheResidual(t *testing.T) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		s := newSolver(world, small)
		b := s.block
		uneven(b.U)
		b.Differ()
		p := b.Index(3, 4, 3)
		for d := -3; d <= 3; d++ { // the point, or a neighbour of it
			q := p
			if d != 0 {
				q += b.Stride[max(d, -d)-1] * d / max(d, -d)
			}
			for m := range 5 {
				var v, product flow.State
				v[m] = 1
				if d == 0 {
					product = v
					s.coupling.divide(&product, &b.U[p], &b.Flow[p]) // its inverse, times v
				} else {
					s.coupling.add(&product, &b.U[q], &b.Flow[q], &v, max(d, -d)-1, float64(d/max(d, -d)))
				}
				const change = 1e-6
				var residual [2]flow.State
				base := b.U[q]
				for i, sign := range []float64{-1, 1} {
					by := v
					if d == 0 {
						by = product
					}
					for k := range by {
						b.U[q][k] = base[k] + sign*change*by[k]
					}
					b.Differ()
					residual[i] = b.Residual[p]
					b.U[q] = base
				}
				b.Differ()
				damping := 4.
				if d == 0 {
					damping = -3 * 6
				}
				for k := range 5 {
					derivative := (residual[1][k] - residual[0][k]) / (2 * change)
					if d == 0 {
						derivative -= flow.Damping * damping * product[k]
						assert.InDelta(t, v[k], product[k]-small.step*derivative, 1e-5, "D·D⁻¹ of value %d, at %d", m, k)
						continue
					}
					derivative -= flow.Damping * damping * v[k]
					assert.InDelta(t, -small.step*relaxation*derivative, product[k], 1e-5, "neighbour %d, of value %d, at %d", d, m, k)
				}
			}
		}
		return s.exchange.Free()
	}))
}

func TestResultIsTheSameOnAnyRanks(t *testing.T) {
	var norms []flow.Norms
	var integrals []float64
	for _, ranks := range []int{1, 2, 4, 8, 16} {
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			s := newSolver(world, small)
			s.solve(small.iterations)
			n := flow.Measure(world, []*flow.Block{s.block}, false)
			integral, err := mpi.AllreduceValue(world, surface(s.block), mpi.Sum)
			if world.Rank() == 0 {
				norms, integrals = append(norms, n), append(integrals, integral)
			}
			return err
		}, mpi.WithTransport("tcp-perpair")))
	}
	flowtest.Same(t, norms, 1e-10)
	for _, integral := range integrals {
		assert.InEpsilon(t, integrals[0], integral, 1e-12)
	}
}

func TestIntegralOfAConstantIsTheAreaTimesIt(t *testing.T) {
	b := flow.NewBlock(11, [3]int{}, [3]int{11, 11, 11})
	for i := range b.U {
		b.U[i] = flow.State{1, 0, 0, 0, 1 / flow.Pressure}
	}
	x, y, z := 0.8, 0.7, 0.7
	assert.InEpsilon(t, 2*(x*y+y*z+z*x), surface(b), 1e-12)
}

func TestStepAllocatesNothing(t *testing.T) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		s := newSolver(world, small)
		assert.Zero(t, testing.AllocsPerRun(3, func() { s.solve(1) }))
		return nil
	}))
}

func TestRefusals(t *testing.T) {
	flowtest.Refuses(t, Kernel,
		flowtest.Refusal{Ranks: 1, Class: 'X', Want: "lu has no class X"},
		flowtest.Refusal{Ranks: 3, Class: 'S', Want: "lu runs on a power of two of ranks, not on 3"},
		flowtest.Refusal{Ranks: 32, Class: 'S', Want: "lu runs in class S on at most 16 ranks, not on 32"},
	)
}
