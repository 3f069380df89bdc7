package mpi_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A target that computes takes no part in what seven origins do to its memory. It would compute for ever if they
// depended on it. The log says how long an epoch took; each origin waits in it for those before it.
func TestATargetThatComputesIsPassive(t *testing.T) {
	const origins, rounds = 7, 3
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		for _, mode := range []string{"hybrid", "event"} {
			var done atomic.Int32 // the ranks are of one process
			require.NoError(t, mpi.RunLocal(origins+1, func(world *mpi.Comm) error {
				w := window(t, world, 4)
				if world.Rank() == 0 {
					for done.Load() < origins { // computes
					}
				} else {
					longest := time.Duration(0)
					for range rounds {
						begun := time.Now()
						require.NoError(t, w.Lock(mpi.LockExclusive, 0))
						require.NoError(t, w.Accumulate([]int64{1, 2, 3, 4}, mpi.Sum, 0, 0))
						require.NoError(t, w.Unlock(0))
						longest = max(longest, time.Since(begun))
					}
					done.Add(1)
					t.Logf("%s, rank %d: %v at most", mode, world.Rank(), longest)
				}
				require.NoError(t, world.Barrier())
				require.NoError(t, w.Sync())
				if world.Rank() == 0 {
					require.Equal(t, []int64{1 * origins * rounds, 2 * origins * rounds, 3 * origins * rounds, 4 * origins * rounds}, w.Memory())
				}
				return w.Free()
			}, append(options, mpi.WithProgress(mode))...))
		}
	})
}
