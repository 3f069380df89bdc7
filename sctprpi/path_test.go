package sctprpi

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
)

// A transport knows the round trip of each peer, and how often it had to send something again (rpi.Surveyed).
func TestPathsTellRoundTripAndRetransmissions(t *testing.T) {
	s := simulate(t, Options{}, enginetest.Conditions{Delay: 20 * time.Millisecond})
	exchange := func() {
		sent, received := s.Send(0, make([]byte, 100)), s.Post(rpi.OpRecv, 0, make([]byte, 100))
		s.Pass(time.Minute)
		require.NoError(t, sent.Err)
		require.NoError(t, received.Err)
	}
	exchange()
	paths := s.Ranks[0].Paths()
	require.Len(t, paths, 1)
	require.Equal(t, matching.Rank(1), paths[0].Peer)
	require.GreaterOrEqual(t, paths[0].RoundTrip, 40*time.Millisecond)

	lost := 0
	s.World.Filter(func(_, _ netip.AddrPort, _ []byte) bool { lost++; return lost > 1 })
	exchange()
	require.Greater(t, s.Ranks[0].Paths()[0].Resent, paths[0].Resent)
}
