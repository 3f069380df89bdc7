package flow

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// onSquares runs a test with a partition of 10 points in each direction, on squares of ranks.
func onSquares(t *testing.T, test func(t *testing.T, world *mpi.Comm, p *Partition)) {
	for _, ranks := range []int{1, 4, 9, 25} {
		t.Run(fmt.Sprint(ranks, " ranks"), func(t *testing.T) {
			require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
				p := NewPartition(world, 10)
				test(t, world, p)
				return p.Free()
			}, mpi.WithTransport("tcp-perpair")))
		})
	}
}

func TestPartitionHasEachPointOnceAndEachRankInEachPlane(t *testing.T) {
	onSquares(t, func(t *testing.T, world *mpi.Comm, p *Partition) {
		points := 0
		for d, order := range p.order {
			next := 0
			for _, i := range order {
				b := p.Blocks[i]
				assert.Equal(t, next, b.First[d], "a block in each plane across direction %d", d)
				next += b.Size[d]
			}
			assert.Equal(t, 10, next)
		}
		for _, b := range p.Blocks {
			points += b.Size[0] * b.Size[1] * b.Size[2]
		}
		all, err := mpi.AllreduceValue(world, points, mpi.Sum)
		assert.NoError(t, err)
		assert.Equal(t, 1000, all)
	})
}

func TestResidualOfAPartitionIsThatOfTheGrid(t *testing.T) {
	whole := NewBlock(10, [3]int{}, [3]int{10, 10, 10})
	whole.Differ()
	onSquares(t, func(t *testing.T, world *mpi.Comm, p *Partition) {
		for _, b := range p.Blocks { // what the borders were is forgotten
			b.each(border, 0, func(x, y, z int) {
				if x < 0 || y < 0 || z < 0 || x >= b.Size[0] || y >= b.Size[1] || z >= b.Size[2] {
					b.U[b.Index(x, y, z)] = State{1, 1, 1, 1, 1}
				}
			})
		}
		p.Differ()
		for _, b := range p.Blocks {
			b.each(0, 0, func(x, y, z int) {
				want := whole.Residual[whole.Index(b.First[0]+x, b.First[1]+y, b.First[2]+z)]
				got := b.Residual[b.Index(x, y, z)]
				assert.InDeltaSlice(t, want[:], got[:], 1e-12)
			})
		}
	})
}

// A sum along lines goes through all blocks, both ways, with the last one or two planes of the block before.
func TestSweepGoesAlongWholeLines(t *testing.T) {
	for planes := 1; planes <= border; planes++ {
		onSquares(t, func(t *testing.T, world *mpi.Comm, p *Partition) {
			sweep := NewSweep(p, planes, func(i, point int) float64 { return p.Blocks[i].Residual[point][0] },
				func(i, point int, v float64) { p.Blocks[i].Residual[point][0] = v })
			for d := range 3 {
				for _, up := range []bool{true, false} {
					for _, b := range p.Blocks {
						clear(b.Residual)
					}
					sum := func(i int) {
						b := p.Blocks[i]
						if up {
							b.Rows(func(first, n int) {
								for q := first; q < first+n; q++ {
									b.Residual[q][0] = 1 + b.Residual[q-planes*b.Stride[d]][0]
								}
							})
							return
						}
						b.RowsBack(func(first, n int) {
							for q := first + n - 1; q >= first; q-- {
								b.Residual[q][0] = 1 + b.Residual[q+planes*b.Stride[d]][0]
							}
						})
					}
					run := sweep.Down
					if up {
						run = sweep.Up
					}
					run(d, sum)
					for _, b := range p.Blocks {
						b.each(0, 1, func(x, y, z int) {
							place := b.First[d] + [3]int{x, y, z}[d]
							if !up {
								place = 9 - place
							}
							assert.EqualValues(t, (place+planes-1)/planes, b.Residual[b.Index(x, y, z)][0])
						})
					}
				}
			}
		})
	}
}

func TestSquares(t *testing.T) {
	for _, n := range []int{1, 4, 9, 16, 1024} {
		assert.NoError(t, Squares(n))
	}
	assert.EqualError(t, Squares(8), "on a square of ranks, 1, 4, 9 …, not on 8")
	assert.Equal(t, 36, Problem{Points: 12}.mostRanks())
}
