package mpi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// An object is received by what takes objects, and nothing else is.
func TestErrTypeSaysThatObjectsAreReceivedAsSuch(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, mpi.SendObject(world, 5, 1, 0))
			require.NoError(t, mpi.SendValue(world, 5, 1, 1))
			require.NoError(t, mpi.SendObject(world, "text", 1, 2))
			return
		}
		_, _, err := mpi.RecvValue[int](world, 0, 0)
		require.ErrorIs(t, err, mpi.ErrType)
		require.ErrorContains(t, err, "cannot be received as int64; it is an object that SendObject has sent: receive it by RecvObject")
		_, _, err = mpi.RecvObject[int](world, 0, 1)
		require.ErrorIs(t, err, mpi.ErrType)
		require.ErrorContains(t, err, "it is no object: send it by SendObject, or receive it by Recv, RecvValue or RecvSlice")
		request := must(t)(mpi.Irecv(world, []int{0}, 0, 2))
		for range 2 {
			_, err = request.Wait(t.Context())
			require.LessOrEqual(t, strings.Count(fmt.Sprint(err), "RecvObject"), 1, "it is said once")
		}
	})
}

// A receive for another type says what would fit.
func TestErrTypeSaysWhatWouldFit(t *testing.T) {
	type point struct{ X, Y float64 }
	type padded struct { // a layout that no other test has, so its name is known
		A int8
		B float64
	}
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		refuse := func(send *mpi.Request, err error) string {
			require.ErrorIs(t, err, mpi.ErrType)
			wait(t, send)
			return err.Error()
		}
		recv := func(send *mpi.Request, receive func() error) string { return refuse(send, receive()) }
		require.Contains(t, recv(must(t)(mpi.Isend(world, []uint32{1}, 0, 0)), func() error {
			_, err := mpi.Recv(world, make([]int32, 1), 0, 0)
			return err
		}), "1 element of uint32 from rank 0 with tag 0 cannot be received as int32: both have 4 bytes, but other parts; receive it as uint32, and convert it")
		require.Contains(t, recv(must(t)(mpi.Isend(world, []padded{{}}, 0, 0)), func() error {
			_, err := mpi.Recv(world, make([]point, 2), 0, 0)
			return err
		}), "1 element of mpi_test.padded from rank 0 with tag 0 cannot be received as mpi_test.point: an element that was sent has 9 bytes, one of mpi_test.point has 16")
		require.Contains(t, recv(must(t)(mpi.Isend(world, []padded{{}}, 0, 0)), func() error {
			_, err := mpi.Recv(world, make([][9]bool, 2), 0, 0)
			return err
		}), ": both have 9 bytes, but other parts; receive it as mpi_test.padded, and convert it")
		// Types of the same numbers in the same order are the same, whatever their names.
		send := must(t)(mpi.Isend(world, []point{{1, 2}}, 0, 0))
		pair := make([][2]float64, 1)
		_, err := mpi.Recv(world, pair, 0, 0)
		require.NoError(t, err)
		require.Equal(t, [2]float64{1, 2}, pair[0])
		wait(t, send)
	})
}
