package mpi_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 3.8.1: a probe tells what a receive would get, and leaves
// it there.
func TestProbeTellsWithoutReceiving(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, world.Barrier())
			for _, length := range lengths {
				require.NoError(t, mpi.Send(world, make([]int, length), 1, 6))
			}
			return
		}
		_, found, err := world.Iprobe(mpi.AnySource, mpi.AnyTag)
		require.NoError(t, err)
		require.False(t, found)
		require.NoError(t, world.Barrier())
		for _, length := range lengths {
			want := mpi.Status{Source: 0, Tag: 6, Count: length, Bytes: 8 * length}
			for range 2 {
				status, err := world.Probe(mpi.AnySource, mpi.AnyTag)
				require.NoError(t, err)
				require.Equal(t, want, status)
				status, found, err := world.Iprobe(0, 6)
				require.NoError(t, err)
				require.True(t, found)
				require.Equal(t, want, status)
			}
			status, err := mpi.Recv(world, make([]int, length), 0, 6)
			require.NoError(t, err)
			require.Equal(t, want, status)
		}
	}, mpi.WithEagerLimit(eagerLimit))
}

// Section 3.8.2: no other receive gets a message that a matched probe has taken.
func TestMprobeTakesTheMessage(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			for _, length := range lengths {
				require.NoError(t, mpi.Send(world, sequence(1, length), 1, 1))
				require.NoError(t, mpi.Send(world, sequence(2, length), 1, 1))
			}
			return
		}
		for _, length := range lengths {
			want := mpi.Status{Source: 0, Tag: 1, Count: length, Bytes: 8 * length}
			m, status, err := world.Mprobe(mpi.AnySource, mpi.AnyTag)
			require.NoError(t, err)
			require.Equal(t, want, status)

			// The sender of a long message is held back until it is received.
			buf := make([]int, length)
			second := must(t)(mpi.Irecv(world, buf, 0, 1))
			first := make([]int, length)
			status, err = mpi.Mrecv(m, first)
			require.NoError(t, err)
			require.Equal(t, want, status)
			equal(t, sequence(1, length), first)
			wait(t, second)
			equal(t, sequence(2, length), buf)

			_, err = mpi.Mrecv(m, first)
			require.ErrorIs(t, err, mpi.ErrRequest)
			_, err = mpi.Imrecv(m, first)
			require.ErrorIs(t, err, mpi.ErrRequest)
			require.ErrorContains(t, err, "received already")
		}
		_, _, found, err := world.Improbe(mpi.AnySource, mpi.AnyTag)
		require.NoError(t, err)
		require.False(t, found)
	}, mpi.WithEagerLimit(eagerLimit))
}

// Section 3.8: matched probes exist so that many threads can receive messages
// of unknown length: each gets whole messages, and none is lost or doubled.
func TestMatchedProbesFromManyGoroutines(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		const messages, receivers = 200, 8
		if world.Rank() != 0 {
			for i := range messages {
				require.NoError(t, mpi.Send(world, sequence(i, 1+i*7), 0, i%5))
			}
			return
		}
		var got [3][messages]atomic.Int32
		var left atomic.Int32
		left.Store(2 * messages)
		var all sync.WaitGroup
		for range receivers {
			all.Go(func() {
				for left.Add(-1) >= 0 {
					buf, status, err := mpi.RecvSlice[int](world, mpi.AnySource, mpi.AnyTag)
					if err != nil || len(buf) != 1+buf[0]*7 || status.Tag != buf[0]%5 || buf[len(buf)-1] != buf[0]*8 {
						t.Errorf("%d elements, %+v, %v", len(buf), status, err)
						return
					}
					got[status.Source][buf[0]].Add(1)
				}
			})
		}
		all.Wait()
		for source := 1; source <= 2; source++ {
			for i := range messages {
				require.EqualValues(t, 1, got[source][i].Load(), "message %d from rank %d", i, source)
			}
		}
	}, mpi.WithEagerLimit(eagerLimit))
}
