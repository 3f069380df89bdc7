package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func TestReduceScatter(t *testing.T) {
	const size = 5
	ranks(t, size, func(t *testing.T, world *mpi.Comm) {
		me := world.Rank()
		for _, length := range []int{0, 1, 7, 3000} {
			send, recv := sequence(me, size*length), make([]int, length)
			require.NoError(t, mpi.ReduceScatterBlock(world, send, recv, mpi.Sum))
			equal(t, steps(size*me*length+10, size, length), recv)
			clear(recv)
			r, err := mpi.IreduceScatterBlock(world, send, recv, mpi.Sum)
			wait(t, must(t)(r, err))
			equal(t, steps(size*me*length+10, size, length), recv)
		}
		counts := []int{3, 0, 1, 4, 2}
		first := 0
		for _, n := range counts[:me] {
			first += n
		}
		send := sequence(me, 10)
		recv := send[first : first+counts[me]]
		require.NoError(t, mpi.ReduceScatter(world, send, recv, counts, mpi.Sum))
		for i, v := range recv {
			require.Equal(t, size*(first+i)+10, v)
		}
		err := mpi.ReduceScatter(world, send, recv, []int{1, 2, 3}, mpi.Sum)
		require.ErrorIs(t, err, mpi.ErrCount)
	})
}
