package progression

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
)

// readyPeers takes all peers that are ready off the list.
func readyPeers(l *readyList) (peers []matching.Rank) {
	for peer, ok := l.next(); ok; peer, ok = l.next() {
		peers = append(peers, peer)
	}
	return peers
}

func TestReadyPeers(t *testing.T) {
	t.Run("a peer is taken once", func(t *testing.T) {
		l := newReadyList(3)
		l.add(1)
		l.add(2)
		l.add(1)
		require.ElementsMatch(t, []matching.Rank{1, 2}, readyPeers(&l))
		require.Empty(t, readyPeers(&l))
	})
	t.Run("a peer that has been ready has been reached", func(t *testing.T) {
		l := newReadyList(3)
		l.reach(1)
		l.add(2)
		require.ElementsMatch(t, []matching.Rank{1, 2}, readyPeers(&l))
		l.reach(1)
		l.reach(2)
		require.Empty(t, readyPeers(&l))
	})
	t.Run("peers whose frames are held back are ready when those are released", func(t *testing.T) {
		l := newReadyList(3)
		for range 3 {
			for peer := matching.Rank(1); peer < 3; peer++ {
				l.add(peer)
				l.hold(peer)
				require.Empty(t, readyPeers(&l))
			}
		}
		l.release()
		require.ElementsMatch(t, []matching.Rank{1, 2}, readyPeers(&l))
		l.release()
		require.Empty(t, readyPeers(&l))
	})
	t.Run("a peer is ready for a frame that may not be held back", func(t *testing.T) {
		l := newReadyList(2)
		l.add(1)
		l.hold(1)
		require.Empty(t, readyPeers(&l))
		l.add(1)
		require.Equal(t, []matching.Rank{1}, readyPeers(&l))
	})
	t.Run("only so many messages are held back", func(t *testing.T) {
		l := newReadyList(2)
		for range 3 {
			for n := 1; n <= maxHeld; n++ {
				l.add(1)
				l.hold(1)
				require.Len(t, readyPeers(&l), n/maxHeld)
			}
		}
	})
	t.Run("nothing is held back when nothing was queued", func(t *testing.T) {
		l := newReadyList(2)
		l.hold(1) // what has been started is not to be sent
		l.add(1)
		require.Equal(t, []matching.Rank{1}, readyPeers(&l))
	})
}
