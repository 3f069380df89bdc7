package progression

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
)

// turns takes all off whose turn it is.
func turns(a *Agenda) (peers []matching.Rank) {
	for peer, ok := a.Next(); ok; peer, ok = a.Next() {
		peers = append(peers, peer)
	}
	return peers
}

func TestAgenda(t *testing.T) {
	t.Run("each has one turn", func(t *testing.T) {
		a := newAgenda(3)
		a.Add(1)
		a.Add(2)
		a.Add(1)
		require.ElementsMatch(t, []matching.Rank{1, 2}, turns(&a))
		require.Empty(t, turns(&a))
	})
	t.Run("who has had a turn has been reached", func(t *testing.T) {
		a := newAgenda(3)
		a.reach(1)
		a.Add(2)
		require.ElementsMatch(t, []matching.Rank{1, 2}, turns(&a))
		a.reach(1)
		a.reach(2)
		require.Empty(t, turns(&a))
	})
	t.Run("who waits has a turn when all are released", func(t *testing.T) {
		a := newAgenda(3)
		for range 3 {
			for peer := matching.Rank(1); peer < 3; peer++ {
				a.Add(peer)
				a.wait(peer)
				require.Empty(t, turns(&a))
			}
		}
		a.Release()
		require.ElementsMatch(t, []matching.Rank{1, 2}, turns(&a))
		a.Release()
		require.Empty(t, turns(&a))
	})
	t.Run("who waits has a turn for what may not", func(t *testing.T) {
		a := newAgenda(2)
		a.Add(1)
		a.wait(1)
		require.Empty(t, turns(&a))
		a.Add(1)
		require.Equal(t, []matching.Rank{1}, turns(&a))
	})
	t.Run("only so many messages wait", func(t *testing.T) {
		a := newAgenda(2)
		for range 3 {
			for n := 1; n <= patience; n++ {
				a.Add(1)
				a.wait(1)
				require.Len(t, turns(&a), n/patience)
			}
		}
	})
	t.Run("nobody waits for nothing", func(t *testing.T) {
		a := newAgenda(2)
		a.wait(1) // what has been started is not to be sent
		a.Add(1)
		require.Equal(t, []matching.Rank{1}, turns(&a))
	})
}
