package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 6.8 (MPI_IN_PLACE): what is received replaces what is sent.
func TestAlltoallInPlace(t *testing.T) {
	for _, size := range []int{1, 2, 3, 9} {
		test := func(t *testing.T, world *mpi.Comm) {
			me := world.Rank()
			for _, length := range []int{0, 1, 300} { // 1: other algorithms with many ranks
				out := func(from, to int) []int { return sequence(1000*from+100*to, length*(1+from*to%3)) }
				var layout mpi.Layout
				var send, want, blocks, wantBlocks []int
				var data []mpi.Data
				var each [][]int
				for i := range size {
					send, want = append(send, out(me, i)[:length]...), append(want, out(i, me)[:length]...)
					blocks, wantBlocks = append(blocks, out(me, i)...), append(wantBlocks, out(i, me)...)
					layout.Counts = append(layout.Counts, length*(1+me*i%3))
					each = append(each, out(me, i))
					data = append(data, mpi.Elements(each[i]))
				}
				require.NoError(t, mpi.Alltoall(world, send, send))
				equal(t, want, send)
				require.NoError(t, mpi.Alltoallv(world, blocks, layout, blocks, layout))
				equal(t, wantBlocks, blocks)
				require.NoError(t, mpi.Alltoallw(world, nil, data))
				for i := range size {
					equal(t, out(i, me), each[i])
				}
			}
			columns := mpi.Matrix[int]{Cells: sequence(me*size*size, size*size), Width: size}
			var data []mpi.Data
			for i := range size {
				data = append(data, columns.Columns(i, 1))
			}
			require.NoError(t, mpi.Alltoallw(world, nil, data))
			for i := range size {
				for row := range size {
					require.Equal(t, i*size*size+row*size+me, columns.Cells[row*size+i])
				}
			}
		}
		for _, c := range carriers {
			if !c.impaired || size < 9 {
				c.ranks(t, size, test)
			}
		}
	}
}

func TestAlltoallInPlaceOnSomeRanks(t *testing.T) {
	disagreeing(t, 2, func(t *testing.T, world *mpi.Comm) {
		send, recv := make([]int, 2), make([]int, 2)
		if world.Rank() == 0 {
			recv = send
		}
		err := mpi.Alltoall(world, send, recv)
		if err != nil || world.Rank() == 1 {
			require.ErrorIs(t, err, mpi.ErrArg)
			require.ErrorContains(t, err, [2]string{
				"rank 1 exchanges between two buffers where this rank does so in place",
				"rank 0 exchanges in place where this rank does so between two buffers",
			}[world.Rank()])
		}
		require.NoError(t, world.Barrier())
	})
}
