package sp

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow/flowtest"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// small is a problem of nine points in each direction.
var small = flow.Problem{Points: 9, Iterations: 5, Step: 0.01}

// onOneRank runs a test with a solver whose values are all other than at the beginning, each by another amount, and whose
// residuals are too.
func onOneRank(t *testing.T, test func(s *solver)) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		grid := flow.NewPartition(world, small.Points)
		s := newSolver(grid, small)
		b := s.blocks[0]
		for i := range b.U {
			for m := range b.U[i] {
				b.U[i][m] += 0.01 * math.Sin(float64(7*i+m))
			}
		}
		b.Differ()
		b.hear()
		b.Rows(func(first, n int) {
			for p := first; p < first+n; p++ {
				for m := range b.Residual[p] {
					b.Residual[p][m] = math.Cos(float64(3*p + m))
				}
			}
		})
		test(s)
		return s.grid.Free()
	}))
}

func TestChangesOfVariablesLeadBackToTheValues(t *testing.T) {
	onOneRank(t, func(s *solver) {
		b := s.blocks[0]
		want := append([]flow.State(nil), b.Residual...)
		b.enter()
		b.turnToY()
		b.turnToZ()
		b.leave()
		for i, r := range b.Residual {
			assert.InDeltaSlice(t, want[i][:], r[:], 1e-12)
		}
	})
}

// A line's solution, times the matrix, is the right side. In the middle of a line no weight is special.
func TestLinesAreSolved(t *testing.T) {
	onOneRank(t, func(s *solver) {
		b := s.blocks[0]
		for d := range 3 {
			right := append([]flow.State(nil), b.Residual...)
			s.eliminate(b, d)
			b.substitute(d)
			p, stride := b.Index(4, 4, 4), b.Stride[d]
			below, here, above := p-stride, p, p+stride
			for m, sound := range []float64{0, 0, 0, 1, -1} {
				x := func(steps int) float64 { return b.Residual[p+steps*stride][m] }
				speed := func(q int) float64 { return b.Flow[q][1+d] + sound*b.sound[q] }
				spread := func(q int) float64 { return s.terms.Diffusion[d] + s.terms.Viscosity*flow.Heat*b.Flow[q][0] }
				change := s.terms.Convection*(speed(above)*x(1)-speed(below)*x(-1)) -
					spread(above)*x(1) + 2*spread(here)*x(0) - spread(below)*x(-1) +
					flow.Damping*(x(-2)-4*x(-1)+6*x(0)-4*x(1)+x(2))
				assert.InDelta(t, right[p][m], x(0)+small.Step*change, 1e-12, "direction %d, equation %d", d, m)
			}
		}
	})
}

func TestResultIsTheSameOnAnyRanks(t *testing.T) { flowtest.SameOnAnyRanks(t, benchmark, small) }

func TestRefusals(t *testing.T) {
	flowtest.Refuses(t, Kernel,
		flowtest.Refusal{Ranks: 1, Class: 'X', Want: "sp has no class X"},
		flowtest.Refusal{Ranks: 2, Class: 'S', Want: "sp runs on a square of ranks, 1, 4, 9 …, not on 2"},
		flowtest.Refusal{Ranks: 49, Class: 'S', Want: "sp runs in class S on at most 36 ranks, not on 49"},
	)
}
