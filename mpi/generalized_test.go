package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 13.2: operations of the program are waited for together with messages.
func TestGeneralizedRequests(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 1 {
			require.NoError(t, mpi.Send(world, []int{1}, 0, 0))
			return
		}
		var calls []string
		r := must(t)(world.Generalized(mpi.Hooks{
			Query: func() (mpi.Status, error) {
				calls = append(calls, "query")
				return mpi.Status{Count: 7}, errDisk
			},
			Cancel: func(completed bool) error {
				require.False(t, completed)
				calls = append(calls, "cancel")
				return nil
			},
			Free: func() { calls = append(calls, "free") },
		}))
		_, done, err := r.Test()
		require.NoError(t, err)
		require.False(t, done)
		require.NoError(t, r.Cancel())
		message := must(t)(mpi.Irecv(world, make([]int, 1), 1, 0))
		go func() {
			<-message.Done()
			_ = r.Complete()
		}()
		statuses, err := mpi.WaitAll(t.Context(), r, message)
		require.ErrorIs(t, err, errDisk)
		require.Equal(t, []int{7, 1}, []int{statuses[0].Count, statuses[1].Count})
		require.Equal(t, []string{"cancel", "query", "free"}, calls)
		require.ErrorIs(t, r.Complete(), mpi.ErrRequest, "the second time")
		require.ErrorIs(t, message.Complete(), mpi.ErrRequest, "a message")

		bare := must(t)(world.Generalized(mpi.Hooks{}))
		require.NoError(t, bare.Cancel())
		require.NoError(t, bare.Complete())
		require.Equal(t, mpi.AnySource, wait(t, bare).Source)
	})
}
