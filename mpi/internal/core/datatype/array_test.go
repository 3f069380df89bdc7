package datatype

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Section 5.1.4: process p of a dimension has those of its elements whose block, counted modulo the processes, is p.
func TestDarrayIsTheStandardsDefinition(t *testing.T) {
	r := newRandom(t)
	for range 150 {
		n := 1 + r.IntN(3)
		sizes, blocks, grid := make([]int64, n), make([]int64, n), make([]int64, n)
		distributions := make([]Distribution, n)
		length := make([]int64, n) // of blocks
		for i := range sizes {
			sizes[i], grid[i], distributions[i] = 1+r.small(7), 1+r.small(3), Distribution(r.IntN(3))
			least := (sizes[i] + grid[i] - 1) / grid[i]
			switch distributions[i] {
			case Block:
				length[i] = least + r.small(2)
			case Cyclic:
				length[i] = 1 + r.small(9)
			case Whole:
				grid[i], length[i] = 1, sizes[i]
			}
			if blocks[i] = length[i]; r.IntN(2) == 0 {
				blocks[i] = DefaultBlock
				switch distributions[i] {
				case Block:
					length[i] = least
				case Cyclic:
					length[i] = 1
				}
			}
		}
		old, o := r.tree(1)
		order, processes := Order(r.IntN(2)), product(grid)
		elements := int64(0)
		for rank := range processes {
			made, err := Darray(processes, rank, sizes, distributions, blocks, grid, order, old)
			require.NoError(t, err)
			var want oracle
			each(sizes, order, func(index []int64) {
				left := rank
				for i := n - 1; i >= 0; i-- {
					if index[i]/length[i]%grid[i] != left%grid[i] {
						return
					}
					left /= grid[i]
				}
				want.add(oracle{entries: o.entries}, offset(index, sizes, order)*o.extent(), 1)
			})
			// add knows only the extent of the entries: it is that of o which counts, and it is in the displacement.
			elements += int64(len(want.entries))
			var visited []int64
			for disp, size := range made.Pieces(1, 0, math.MaxInt64) {
				for i := range size {
					visited = append(visited, disp+i)
				}
			}
			require.Equal(t, want.bytes(1), visited, "%v %v %v %v rank %d", sizes, distributions, blocks, grid, rank)
			require.Equal(t, []int64{0, product(sizes) * o.extent()}, []int64{made.LowerBound(), made.Extent()})
		}
		require.EqualValues(t, product(sizes)*int64(len(o.entries)), elements, "each element belongs to one process")
	}
}

// Example: a matrix of 4 rows and 6 columns over a grid of 2 × 2 processes, block by block.
func TestBlocksOfAMatrix(t *testing.T) {
	part, err := Darray(4, 3, []int64{4, 6}, []Distribution{Block, Block}, []int64{DefaultBlock, DefaultBlock}, []int64{2, 2}, OrderC, Basic(Float64))
	require.NoError(t, err)
	same, err := Subarray([]int64{4, 6}, []int64{2, 3}, []int64{2, 3}, OrderC, Basic(Float64))
	require.NoError(t, err)
	part.Commit()
	same.Commit()
	require.Equal(t, same.bytes, part.bytes)
	require.Len(t, part.bytes.loops, 1, "two runs of three elements are one loop")
}
