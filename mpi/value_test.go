package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// tagged is a type that is described by reflection.
type tagged struct {
	ID   int64
	Data [7]float32
}

// Operations on values do what those on slices of one element do.
func TestValues(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		ranks(t, size, func(t *testing.T, world *mpi.Comm) {
			me, last := world.Rank(), size-1
			next, previous := (me+1)%size, (me-1+size)%size
			got, status, err := mpi.SendrecvValue(world, me, next, 3, previous, 3)
			require.NoError(t, err)
			require.Equal(t, previous, got)
			require.Equal(t, mpi.Status{Source: previous, Tag: 3, Count: 1, Bytes: 8}, status)

			whole, err := mpi.BcastValue(world, float64(me), last)
			require.NoError(t, err)
			require.Equal(t, float64(last), whole)

			sum, err := mpi.ReduceValue(world, me, mpi.Sum, last)
			require.NoError(t, err)
			if me == last {
				require.Equal(t, last*size/2, sum)
			} else {
				require.Zero(t, sum)
			}
			top, err := mpi.AllreduceValue(world, tagged{ID: int64(me)}, func(left, right []tagged) { left[0].ID = max(left[0].ID, right[0].ID) })
			require.NoError(t, err)
			require.Equal(t, tagged{ID: int64(last)}, top)
			prefix, err := mpi.ScanValue(world, me, mpi.Sum)
			require.NoError(t, err)
			require.Equal(t, me*(me+1)/2, prefix)
			before, err := mpi.ExscanValue(world, me, mpi.Sum)
			require.NoError(t, err)
			require.Equal(t, me*(me-1)/2, before)

			all, err := mpi.GatherValues(world, me, last)
			require.NoError(t, err)
			if me == last {
				require.Equal(t, sequence(0, size), all)
			} else {
				require.Nil(t, all)
			}
			all, err = mpi.AllgatherValues(world, me+10)
			require.NoError(t, err)
			require.Equal(t, sequence(10, size), all)
			if me != last {
				all = nil
			}
			mine, err := mpi.ScatterValues(world, all, last)
			require.NoError(t, err)
			require.Equal(t, me+10, mine)
		})
	}
}

// A value is a message of one element, whatever sends or receives it.
func TestValueIsAMessageOfOneElement(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, mpi.SendValue(world, 1.5, 1, 0))
			require.NoError(t, mpi.Send(world, []float64{2.5}, 1, 0))
			require.NoError(t, mpi.Send(world, []float64{}, 1, 1))
			require.NoError(t, mpi.Send(world, []float64{1, 2}, 1, 2))
			require.NoError(t, mpi.SendValue(world, 1, 1, 3))
			return
		}
		buf := make([]float64, 2)
		status, err := mpi.Recv(world, buf, 0, 0)
		require.NoError(t, err)
		require.Equal(t, 1, status.Count)
		value, status, err := mpi.RecvValue[float64](world, mpi.AnySource, mpi.AnyTag)
		require.NoError(t, err)
		require.Equal(t, mpi.Status{Source: 0, Tag: 0, Count: 1, Bytes: 8}, status)
		require.Equal(t, []float64{1.5, 2.5}, []float64{buf[0], value})

		for tag, want := range []string{
			1: "mpi.RecvValue: invalid count: the message from rank 0 with tag 1 has no element where one is expected",
			2: "mpi.RecvValue: message truncated: 2 elements of float64 from rank 0 with tag 2 exceed the buffer of 1",
			3: "cannot be received as float64",
		} {
			if want != "" {
				value, status, err = mpi.RecvValue[float64](world, 0, tag)
				require.ErrorContains(t, err, want)
				require.Zero(t, value)
				require.Equal(t, tag, status.Tag)
			}
		}
	})
}

func TestValueToAndFromProcNull(t *testing.T) {
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		require.NoError(t, mpi.SendValue(world, 1, mpi.ProcNull, 0))
		got, status, err := mpi.SendrecvValue(world, 1, mpi.ProcNull, 0, mpi.ProcNull, 0)
		require.NoError(t, err)
		require.Zero(t, got)
		require.Equal(t, mpi.Status{Source: mpi.ProcNull, Tag: mpi.AnyTag}, status)
	})
}

// Errors name the operation that the program has called.
func TestErrorsOfValues(t *testing.T) {
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		require.EqualError(t, mpi.SendValue(world, 1, 7, 0), "mpi.SendValue: invalid rank: dest 7 is not in a communicator of 1 rank")
		_, err := mpi.BcastValue(world, "text", 0)
		require.ErrorIs(t, err, mpi.ErrType)
		require.ErrorContains(t, err, "mpi.BcastValue: ")
		_, err = mpi.AllreduceValue(world, 1, nil)
		require.ErrorIs(t, err, mpi.ErrOp)
		_, err = mpi.GatherValues(world, 1, 5)
		require.ErrorIs(t, err, mpi.ErrRoot)
		_, err = mpi.ScatterValues(world, []int{1, 2}, 0)
		require.ErrorIs(t, err, mpi.ErrCount)
		_, err = mpi.AllgatherValues[int](nil, 1)
		require.ErrorIs(t, err, mpi.ErrComm)
	})
}
