package failure

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// alone returns the process with rank 0 of a job of so many, in which nothing happens by itself.
func alone(t *testing.T, size int) *process {
	return newJob(t, rand.New(rand.NewPCG(0, 0)), size).processes[0]
}

// A receive from any source goes on once all deaths are acknowledged of processes that could send. A death that was known before the
// communicator was made is no exception.
func TestDeathsAreAcknowledgedInTheirOrder(t *testing.T) {
	const context, other = 8, 16
	p := alone(t, 6)
	p.Report(5)
	p.Report(4)
	s := new(State)
	p.Open(s, context, group.First(5), group.Of([]matching.Rank{3, 4}), func() {})
	any := &rpi.Request{Op: rpi.OpRecv, Context: context, Peer: matching.AnySource}
	interrupter := func() matching.Rank {
		var gone *rpi.PeerError
		if err := s.Interrupted(any); err != nil {
			require.ErrorAs(t, err, &gone)
			return gone.Peer
		}
		return matching.AnySource
	}
	require.Equal(t, []matching.Rank{4}, s.Failed())
	require.Empty(t, s.Acked())
	require.EqualValues(t, 4, interrupter())
	p.Report(1)
	p.Report(4)
	p.Report(3)
	require.Equal(t, []matching.Rank{4, 1, 3}, s.Failed())
	require.Equal(t, 0, s.Ack(0))
	require.EqualValues(t, 4, interrupter())
	require.Equal(t, 2, s.Ack(2))
	require.Equal(t, []matching.Rank{4, 1}, s.Acked())
	require.EqualValues(t, 3, interrupter())
	require.Equal(t, 2, s.Ack(1), "what is acknowledged stays so")
	require.Equal(t, 3, s.Ack(9))
	require.EqualValues(t, matching.AnySource, interrupter())
	p.Report(2)
	require.EqualValues(t, matching.AnySource, interrupter(), "it cannot send")
	p.Report(0)
	for _, r := range []*rpi.Request{
		{Op: rpi.OpSend, Context: context, Peer: matching.AnySource},
		{Op: rpi.OpRecv, Context: context, Peer: 4},
		{Op: rpi.OpRecv, Context: other, Peer: matching.AnySource},
	} {
		require.NoError(t, s.Interrupted(r))
	}
}

// A process that has finalized is gone, but not dead.
func TestAProcessThatHasFinalizedIsNotDead(t *testing.T) {
	p := alone(t, 3)
	p.Continuations.Enter()
	p.Gone(1, rpi.ErrFinalized)
	p.Gone(2, errEnded)
	p.Continuations.Leave(false)
	require.True(t, p.deaths.isGone(1))
	require.False(t, p.deaths.isDead(1))
	require.True(t, p.deaths.isDead(2))
	require.Equal(t, 1, p.Deaths())
}

// The word of the launcher that a process has ended counts when what it has sent may have been read.
func TestLastWordsAreReadBeforeAProcessIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := alone(t, 3)
		p.Ended(0)
		p.Ended(3)
		p.Ended(2)
		time.Sleep(lastWordsTime - 1)
		synctest.Wait()
		require.Zero(t, p.Deaths())
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Equal(t, []matching.Rank{2}, p.deaths.list())
	})
}

// A process whose launcher has ended leaves its job, unless it has left before.
func TestAnOrphanLeavesItsJob(t *testing.T) {
	for _, left := range []bool{false, true} {
		p := alone(t, 3)
		p.Left = func() bool { return left }
		p.Continuations.Enter()
		for _, step := range []op{opens(8), agrees(8, 0)} {
			step.do(p)
		}
		p.Orphaned(nil)
		p.Continuations.Leave(false)
		require.Equal(t, !left, p.Expelled())
		require.Equal(t, !left, p.killed.Load())
		require.Equal(t, !left, p.open[0].Whole.Completed())
		if !left {
			require.ErrorContains(t, p.open[0].Err(), orphan)
		}
	}
}
