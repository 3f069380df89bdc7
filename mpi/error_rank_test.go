package mpi_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// about requires an error about a rank of the operation's communicator.
func about(t *testing.T, rank int, err error) {
	t.Helper()
	e, ok := errors.AsType[*mpi.Error](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, rank, e.Rank, "%v", err)
}

// An error says which rank it is about, if it is about one.
func TestErrorsNameTheirRank(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		reversed, err := world.Split(0, -world.Rank())
		require.NoError(t, err)
		me := reversed.Rank()
		if me == 1 {
			for range 3 {
				require.NoError(t, mpi.Send(reversed, []int{1, 2}, 2, 0))
			}
			require.NoError(t, mpi.SendObject(reversed, "text", 2, 0))
		}
		if me == 2 {
			_, err := mpi.Recv(reversed, make([]int, 1), 1, 0)
			require.ErrorIs(t, err, mpi.ErrTruncate)
			about(t, 1, err)
			_, err = mpi.Recv(reversed, make([]float64, 1), mpi.AnySource, 0)
			require.ErrorIs(t, err, mpi.ErrType)
			about(t, 1, err)
			_, _, err = mpi.RecvObject[string](reversed, 1, 0)
			about(t, 1, err)
			_, _, err = mpi.RecvObject[int](reversed, 1, 0)
			about(t, 1, err)
			about(t, mpi.Undefined, mpi.Send(reversed, []int{1}, 7, 0))
			_, err = mpi.Recv(reversed.WithContext(ended(errPatience)), make([]int, 1), 1, 0)
			about(t, mpi.Undefined, err)
		}
		n := 3
		if me == 0 {
			n = 2
		}
		_, err = mpi.AlltoallSlices(reversed, make([][]int, n))
		if me == 0 {
			about(t, mpi.Undefined, err)
		} else {
			about(t, 0, err)
		}
	})
	disagreeing(t, 2, func(t *testing.T, world *mpi.Comm) {
		other := 1 - world.Rank()
		about(t, other, mpi.Allreduce(world, []int{1}, []int{1}, []mpi.Op[int]{mpi.Sum[int], mpi.Max[int]}[world.Rank()]))
		if world.Rank() == 0 {
			about(t, mpi.Undefined, mpi.Bcast(world, []int{1}, 9))
		} else if err := mpi.Bcast(world, []int{1}, 0); err != nil {
			about(t, 0, err)
		}
		require.NoError(t, world.Barrier())
	})
}

// The rank is that of the process which is gone.
func TestErrorsNameTheRankThatIsGone(t *testing.T) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(3, func(world *mpi.Comm) error {
			if world.Rank() == 1 {
				return errDisk
			}
			_, err := mpi.Recv(world, make([]int, 1), 1, 0)
			require.ErrorIs(t, err, mpi.ErrProcFailed)
			about(t, 1, err)
			return nil
		}, options...)
		require.ErrorIs(t, err, errDisk)
	})
}
