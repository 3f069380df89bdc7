package mpi_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

type (
	blockingSend = func(c *mpi.Comm, buf []int, dest, tag int) error
	startSend    = func(c *mpi.Comm, buf []int, dest, tag int) (*mpi.Request, error)
)

var (
	blockingSends = map[string]blockingSend{
		"Send": mpi.Send[int], "Ssend": mpi.Ssend[int], "Bsend": mpi.Bsend[int], "Rsend": mpi.Rsend[int],
	}
	startSends = map[string]startSend{
		"Isend": mpi.Isend[int], "Issend": mpi.Issend[int], "Ibsend": mpi.Ibsend[int], "Irsend": mpi.Irsend[int],
	}
)

// Lengths in ints around what changes the protocol, with an eager limit of
// 8 KiB.
var lengths = []int{0, 1, 2, 1023, 1024, 1025, 100_000}

const eagerLimit = 8 << 10

// MPI 4.1, section 3.4: all modes deliver the message.
func TestEveryModeDeliversMessagesOfEveryLength(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		for _, length := range lengths {
			for _, name := range slices.Sorted(maps.Keys(blockingSends)) {
				exchange(t, world, name, length, func(buf []int) { require.NoError(t, blockingSends[name](world, buf, 1, 7)) })
			}
			for _, name := range slices.Sorted(maps.Keys(startSends)) {
				exchange(t, world, name, length, func(buf []int) { wait(t, must(t)(startSends[name](world, buf, 1, 7))) })
			}
		}
	}, mpi.WithEagerLimit(eagerLimit))
}

// exchange lets rank 0 send with the given function and checks what rank 1
// gets.
func exchange(t *testing.T, world *mpi.Comm, name string, length int, send func(buf []int)) {
	t.Helper()
	if world.Rank() == 0 {
		send(sequence(length, length))
		return
	}
	buf := make([]int, length+3)
	status, err := mpi.Recv(world, buf, 0, 7)
	require.NoError(t, err, name)
	require.Equal(t, mpi.Status{Source: 0, Tag: 7, Count: length, Bytes: 8 * length}, status, name)
	require.Equal(t, append(sequence(length, length), 0, 0, 0), buf, name)
}

// Section 3.4: a synchronous send completes when the receive has started, not
// before; a buffered one does not depend on the receive.
func TestSsendCompletesAfterItsMatchAndBsendWithout(t *testing.T) {
	for _, length := range lengths {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
				if world.Rank() == 0 {
					sync := must(t)(mpi.Issend(world, make([]int, length), 1, 1))
					require.NoError(t, mpi.Bsend(world, make([]int, length), 1, 2))
					wait(t, must(t)(mpi.Irecv(world, []int{}, 1, 3))) // 1 has the Bsend's message
					_, done, err := sync.Test()
					require.NoError(t, err)
					require.False(t, done)
					require.NoError(t, mpi.Send(world, []int{}, 1, 4))
					wait(t, sync)
					return
				}
				buf := make([]int, length)
				_, err := mpi.Recv(world, buf, 0, 2)
				require.NoError(t, err)
				require.NoError(t, mpi.Send(world, []int{}, 0, 3))
				_, err = mpi.Recv(world, []int{}, 0, 4)
				require.NoError(t, err)
				_, err = mpi.Recv(world, buf, 0, 1)
				require.NoError(t, err)
			}, mpi.WithEagerLimit(eagerLimit))
		})
	}
}

// Section 3.4: the buffer of a buffered send may be used again at once.
func TestBsendCopiesItsBuffer(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const messages, length = 50, 5000
		buf := make([]int, length)
		for i := range messages {
			if world.Rank() == 0 {
				copy(buf, sequence(i, length))
				require.NoError(t, mpi.Bsend(world, buf, 1, 0))
				clear(buf)
			} else {
				_, err := mpi.Recv(world, buf, 0, 0)
				require.NoError(t, err)
				require.Equal(t, sequence(i, length), buf)
			}
		}
	}, mpi.WithEagerLimit(eagerLimit))
}

// Section 3.6: where there is no room for a buffered send, it fails.
func TestBsendBeyondTheLimitFails(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, mpi.Bsend(world, make([]byte, 60<<10), 1, 0))
			// The first one may have left already, if the transport had room for it.
			require.ErrorIs(t, mpi.Bsend(world, make([]byte, 65<<10), 1, 1), mpi.ErrBuffer)
		}
		require.NoError(t, world.Barrier())
		if world.Rank() == 1 {
			_, err := mpi.Recv(world, make([]byte, 60<<10), 0, 0)
			require.NoError(t, err)
		}
	}, mpi.WithUnexpectedLimit(64<<10), mpi.WithEagerLimit(1<<10))
}

// Messages of many megabytes arrive whole, in both directions at once.
func TestLargeMessages(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const length = 9<<17 + 1 // 9 MiB and a bit
		in := make([]int, length)
		status, err := mpi.Sendrecv(world, sequence(world.Rank(), length), 1-world.Rank(), 0, in, mpi.AnySource, mpi.AnyTag)
		require.NoError(t, err)
		require.Equal(t, length, status.Count)
		equal(t, sequence(1-world.Rank(), length), in)
	})
}
