package mg

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// small is a problem of 16 points in each direction.
var small = problem{log2: 4, iterations: 2, smoother: smaller}

// numbered is a grid of n points in each direction, with the border of a periodic one.
func numbered(n int) grid {
	g := newGrid(n, n, n)
	for z := range n + 2 {
		for y := range n + 2 {
			for x := range n + 2 {
				i, j, k := (x+n-1)%n, (y+n-1)%n, (z+n-1)%n
				g.row(y, z)[x] = math.Sin(float64(i + 3*j*j + 7*k))
			}
		}
	}
	return g
}

func TestStencilIsThatOfTwentySevenPoints(t *testing.T) {
	g := numbered(4)
	base, result := numbered(4), newGrid(4, 4, 4)
	w := weights{1, 2, 3, 4}
	apply(result, base, g, w, newRows(4))
	for z := 1; z <= 4; z++ {
		for y := 1; y <= 4; y++ {
			for x := 1; x <= 4; x++ {
				want := base.row(y, z)[x]
				for i := range 27 {
					dx, dy, dz := i%3-1, i/3%3-1, i/9-1
					want += w[dx*dx+dy*dy+dz*dz] * g.row(y+dy, z+dz)[x+dx]
				}
				require.InDelta(t, want, result.row(y, z)[x], 1e-12)
			}
		}
	}
}

func TestCoarseGridHasTheMeansOfTheFine(t *testing.T) {
	fine, coarse := numbered(8), newGrid(4, 4, 4)
	coarsen(coarse, fine, newRows(8))
	want := 0.
	for i := range 27 {
		dx, dy, dz := i%3-1, i/3%3-1, i/9-1
		want += math.Ldexp(0.5, -(dx*dx+dy*dy+dz*dz)) * fine.row(4+dy, 6+dz)[2+dx]
	}
	assert.InDelta(t, want, coarse.row(2, 3)[1], 1e-12)
}

func TestFineGridGetsWhatIsBetweenThePointsOfTheCoarse(t *testing.T) {
	fine, coarse := newGrid(8, 8, 8), numbered(4)
	refine(fine, coarse, newRows(8))
	assert.InDelta(t, coarse.row(2, 3)[1], fine.row(4, 6)[2], 1e-12, "at a point of both")
	assert.InDelta(t, (coarse.row(2, 3)[1]+coarse.row(2, 3)[2])/2, fine.row(4, 6)[3], 1e-12, "on an edge")
	corners := 0.
	for i := range 8 {
		corners += coarse.row(2+i/2%2, 3+i/4)[1+i%2] / 8
	}
	assert.InDelta(t, corners, fine.row(5, 7)[3], 1e-12, "within a cell")
	whole := newGrid(8, 8, 8)
	copy(whole.values, fine.values)
	cube{ranks: [3]int{1, 1, 1}}.share(whole).exchange()
	for i := range whole.values {
		assert.InDelta(t, whole.values[i], fine.values[i], 1e-12, "the border is right")
	}
}

func TestShape(t *testing.T) {
	for ranks, want := range map[int][3]int{1: {1, 1, 1}, 2: {1, 1, 2}, 4: {1, 2, 2}, 8: {2, 2, 2}, 32: {2, 4, 4}} {
		assert.Equal(t, want, shape(ranks))
	}
}

func TestBorderIsOfTheNeighbours(t *testing.T) {
	for ranks := 1; ranks <= 16; ranks *= 2 {
		t.Run(fmt.Sprint(ranks, " ranks"), func(t *testing.T) {
			require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
				const n = 8
				whole, size := numbered(n), shape(ranks)
				g := newGrid(n/size[0], n/size[1], n/size[2])
				s := solver{c: world, cube: newCube(world), part: g}
				s.cut(whole)
				want := append([]float64(nil), g.values...)
				for z := range g.z + 2 {
					for y := range g.y + 2 {
						if row := g.row(y, z); z > 0 && z <= g.z && y > 0 && y <= g.y {
							row[0], row[g.x+1] = 0, 0
						} else {
							clear(row)
						}
					}
				}
				shared := s.cube.share(g)
				for range 2 { // requests are used again
					shared.exchange()
					assert.Equal(t, want, g.values)
				}
				return shared.free()
			}, mpi.WithTransport("tcp-perpair")))
		})
	}
}

func TestTheRightSideIsTheSameOnAnyRanks(t *testing.T) {
	require.NoError(t, mpi.RunLocal(8, func(world *mpi.Comm) error {
		s := newSolver(world, small)
		n, err := mpi.AllreduceValue(world, int(s.v.square()), mpi.Sum)
		assert.Equal(t, 2*charges, n)
		return err
	}, mpi.WithTransport("tcp-perpair")))
}

func TestResidualIsTheSameOnAnyRanks(t *testing.T) {
	var norms []float64
	for _, ranks := range []int{1, 2, 16, 128} { // of 128 each has the grid of eight points whole, too
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			if norm := newSolver(world, small).solve(small.iterations); world.Rank() == 0 {
				norms = append(norms, norm)
			}
			return nil
		}, mpi.WithTransport("tcp-perpair")))
	}
	for _, norm := range norms {
		assert.InEpsilon(t, norms[0], norm, 1e-10)
	}
}

func TestRefusals(t *testing.T) {
	for _, refusal := range []struct {
		ranks int
		class nas.Class
		want  string
	}{
		{1, 'X', "mg has no class X"},
		{3, 'S', "mg runs on a power of two of ranks, not on 3"},
	} {
		require.NoError(t, mpi.RunLocal(refusal.ranks, func(world *mpi.Comm) error {
			_, err := Kernel.Run(world, refusal.class)
			assert.EqualError(t, err, refusal.want)
			return nil
		}))
	}
}
