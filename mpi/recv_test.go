package mpi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// forms are the ways to receive a message; each returns what Recv would.
var forms = map[string]func(c *mpi.Comm, buf []int32, source, tag int) (mpi.Status, error){
	"Recv": mpi.Recv[int32],
	"Irecv": func(c *mpi.Comm, buf []int32, source, tag int) (mpi.Status, error) {
		r, err := mpi.Irecv(c, buf, source, tag)
		if err != nil {
			return mpi.Status{}, err
		}
		return r.Wait(context.Background())
	},
	"Mrecv": func(c *mpi.Comm, buf []int32, source, tag int) (mpi.Status, error) {
		m, _, err := c.Mprobe(source, tag)
		if err != nil {
			return mpi.Status{}, err
		}
		return mpi.Mrecv(m, buf)
	},
	"Sendrecv": func(c *mpi.Comm, buf []int32, source, tag int) (mpi.Status, error) {
		return mpi.Sendrecv(c, []int{}, mpi.ProcNull, 0, buf, source, tag)
	},
}

// MPI 4.1, section 3.2.4: a message longer than the buffer is an error, which
// says how long both are, and spoils nothing behind the buffer.
func TestTruncationIsAnErrorWithBothLengths(t *testing.T) {
	for name, recv := range forms {
		for _, length := range []int{11, 3000} { // eager and rendezvous
			ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
				if world.Rank() == 0 {
					require.NoError(t, mpi.Send(world, make([]int32, length), 1, 5), name)
					require.NoError(t, mpi.Send(world, []int32{1, 2}, 1, 5), name)
					return
				}
				buf := make([]int32, 12)
				buf[0], buf[10] = 77, 77
				status, err := recv(world, buf[:10], mpi.AnySource, mpi.AnyTag)
				require.ErrorIs(t, err, mpi.ErrTruncate, name)
				require.ErrorContains(t, err, "elements of int32 from rank 0 with tag 5 exceed the buffer of 10", name)
				require.Equal(t, mpi.Status{Source: 0, Tag: 5, Count: length, Bytes: 4 * length}, status, name)
				require.Equal(t, []int32{77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 77, 0}, buf, name)
				// The message is gone, and the next one is not.
				status, err = recv(world, buf[:10], 0, 5)
				require.NoError(t, err, name)
				require.Equal(t, 2, status.Count, name)
			}, mpi.WithEagerLimit(eagerLimit))
		}
	}
}

// Section 3.3.1 demands equal types; here another type is an error, not garbage.
func TestAnotherElementTypeIsAnErrorNamingBoth(t *testing.T) {
	for name, recv := range forms {
		for _, length := range []int{3, 3000} {
			ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
				if world.Rank() == 0 {
					require.NoError(t, mpi.Send(world, make([]float32, length), 1, 5), name)
					return
				}
				buf := make([]int32, 5000)
				buf[0] = 77
				status, err := recv(world, buf, 0, 5)
				require.ErrorIs(t, err, mpi.ErrType, name)
				require.ErrorContains(t, err, "elements of float32 from rank 0 with tag 5 cannot be received as int32", name)
				require.Equal(t, mpi.Status{Source: 0, Tag: 5, Count: length, Bytes: 4 * length}, status, name)
				require.Equal(t, int32(77), buf[0], name)
			}, mpi.WithEagerLimit(eagerLimit))
		}
	}
}

// Section 3.10: communication with ProcNull does nothing and succeeds.
func TestProcNull(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		null := mpi.Status{Source: mpi.ProcNull, Tag: mpi.AnyTag}
		for name, send := range blockingSends {
			require.NoError(t, send(world, []int{1}, mpi.ProcNull, 0), name)
		}
		for name, start := range startSends {
			require.Zero(t, wait(t, must(t)(start(world, []int{1}, mpi.ProcNull, 0))), name)
		}
		buf := []int32{77}
		for name, recv := range forms {
			status, err := recv(world, buf, mpi.ProcNull, 5)
			require.NoError(t, err, name)
			require.Equal(t, null, status, name)
		}
		require.Equal(t, int32(77), buf[0])
		slice, status, err := mpi.RecvSlice[int](world, mpi.ProcNull, mpi.AnyTag)
		require.NoError(t, err)
		require.Empty(t, slice)
		require.Equal(t, null, status)
		status, err = world.Probe(mpi.ProcNull, 0)
		require.NoError(t, err)
		require.Equal(t, null, status)
		status, found, err := world.Iprobe(mpi.ProcNull, 0)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, null, status)
		m, _, found, err := world.Improbe(mpi.ProcNull, 0)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, null, wait(t, must(t)(mpi.Imrecv(m, buf))))
	})
}

// A message without elements is a message.
func TestZeroLengthMessages(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, mpi.Send[float64](world, nil, 1, 1))
			require.NoError(t, mpi.Ssend(world, []float64{}, 1, 2))
			return
		}
		for tag := 1; tag <= 2; tag++ {
			status, err := mpi.Recv(world, []float64{1, 2, 3}, 0, tag)
			require.NoError(t, err)
			require.Equal(t, mpi.Status{Source: 0, Tag: tag}, status)
		}
	})
}

// RecvSlice takes a message of whatever length.
func TestRecvSlice(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			for _, length := range lengths {
				require.NoError(t, mpi.Send(world, sequence(1, length), 1, length))
			}
			require.NoError(t, mpi.Send(world, []float64{1}, 1, 0))
			return
		}
		for _, length := range lengths {
			got, status, err := mpi.RecvSlice[int](world, mpi.AnySource, mpi.AnyTag)
			require.NoError(t, err)
			equal(t, sequence(1, length), got)
			require.Equal(t, mpi.Status{Source: 0, Tag: length, Count: length, Bytes: 8 * length}, status)
		}
		_, status, err := mpi.RecvSlice[int](world, 0, 0)
		require.ErrorIs(t, err, mpi.ErrType)
		require.Equal(t, 1, status.Count)
	}, mpi.WithEagerLimit(eagerLimit))
}

// A rank can send to itself, blocking and not, in every mode.
func TestMessagesToOneself(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		me := world.Rank()
		for _, length := range lengths {
			buf := make([]int, length)
			for name, start := range startSends {
				send := must(t)(start(world, sequence(1, length), me, 9))
				status, err := mpi.Recv(world, buf, me, 9)
				require.NoError(t, err, name)
				require.Equal(t, mpi.Status{Source: me, Tag: 9, Count: length, Bytes: 8 * length}, status, name)
				equal(t, sequence(1, length), buf)
				wait(t, send)
			}
			for name, send := range blockingSends {
				clear(buf)
				recv := must(t)(mpi.Irecv(world, buf, me, 9))
				require.NoError(t, send(world, sequence(1, length), me, 9), name)
				wait(t, recv)
				equal(t, sequence(1, length), buf)
			}
			clear(buf)
			_, err := mpi.Sendrecv(world, sequence(2, length), me, 9, buf, me, 9)
			require.NoError(t, err)
			equal(t, sequence(2, length), buf)
		}
	}, mpi.WithEagerLimit(eagerLimit))
}

// A world of one works like any other.
func TestWorldOfOne(t *testing.T) {
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		require.Equal(t, 0, world.Rank())
		require.Equal(t, 1, world.Size())
		send := must(t)(mpi.Isend(world, []string2{{1}}, 0, 0))
		got, _, err := mpi.RecvSlice[string2](world, 0, 0)
		require.NoError(t, err)
		require.Equal(t, []string2{{1}}, got)
		wait(t, send)
	})
}

// string2 is a small array type.
type string2 [2]byte
