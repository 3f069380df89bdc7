package flow

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func TestExactSolutionIsSteady(t *testing.T) {
	b := NewBlock(9, [3]int{}, [3]int{9, 9, 9})
	b.fill(func(place [3]float64, _ bool) State { return Exact(place) })
	b.Differ()
	for _, r := range b.Residual {
		for _, v := range r {
			require.InDelta(t, 0, v, 1e-12)
		}
	}
}

func TestBeginningIsExactOnTheFacesOnly(t *testing.T) {
	b := NewBlock(9, [3]int{}, [3]int{9, 9, 9})
	b.each(0, 0, func(x, y, z int) {
		place, inside := b.place(x, y, z)
		assert.Equal(t, inside, Exact(place) != b.U[b.Index(x, y, z)])
	})
}

func TestFourthDifferenceOfACubicIsZeroInside(t *testing.T) {
	b := NewBlock(9, [3]int{}, [3]int{9, 9, 9})
	clear(b.Residual)
	b.fill(func(p [3]float64, _ bool) State { return State{p[0] * p[0] * p[0], p[1] * p[1], p[2], 1, 0} })
	row := b.Index(3, 4, 4)
	for d := range 3 {
		weights, count := b.Weights(d, 3, 8)
		assert.Equal(t, 3, count, "all points but two from the faces")
		b.damp(row, 3, d, weights)
	}
	for i := range 3 {
		for _, v := range b.Residual[row+i] {
			assert.InDelta(t, 0, v, 1e-12)
		}
	}
}

// The residual of blocks with borders of each other is that of the whole grid.
func TestBlocksAreThePartsOfAGrid(t *testing.T) {
	const points = 9
	whole := NewBlock(points, [3]int{}, [3]int{points, points, points})
	whole.Differ()
	for d := range 3 {
		require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
			size, first := [3]int{points, points, points}, [3]int{}
			size[d], first[d] = 3, 3*world.Rank()
			b := NewBlock(points, first, size)
			b.each(border, 0, func(x, y, z int) { // what the border was is forgotten
				if x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2] {
					b.U[b.Index(x, y, z)] = State{1, 1, 1, 1, 1}
				}
			})
			blocks := [3][]*Block{}
			blocks[d] = []*Block{b}
			below, above := [3]int{}, [3]int{}
			below[d], above[d] = (world.Rank()+2)%3, (world.Rank()+1)%3
			e := NewExchange(world, blocks, below, above)
			for range 2 { // requests are used again
				e.Borders()
			}
			b.Differ()
			b.each(0, 0, func(x, y, z int) {
				got := b.Residual[b.Index(x, y, z)]
				want := whole.Residual[whole.Index(first[0]+x, first[1]+y, first[2]+z)]
				assert.InDeltaSlice(t, want[:], got[:], 1e-12)
			})
			return e.Free()
		}, mpi.WithTransport("tcp-perpair")))
	}
}
