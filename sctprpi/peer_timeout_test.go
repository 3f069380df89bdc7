package sctprpi

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/simulation"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// receive starts a receive of a message of the other rank's.
func (s *simulated) receive(rank int) *rpi.Request {
	r := simulation.Message(rpi.OpRecv, 0, make([]byte, 8))
	r.Peer = matching.Rank(1 - rank)
	return s.Begin(rank, r)
}

// fails lets time pass until a request has failed, and returns how long that took.
func (s *simulated) fails(r *rpi.Request) time.Duration {
	begun := s.World.Now()
	require.True(s.T, s.World.Run(begun+time.Hour, r.Completed), "the request never fails")
	require.ErrorIs(s.T, r.Err, rpi.ErrProcFailed)
	return s.World.Now() - begun
}

// A rank that gives no sign of life for Config.PeerTimeout is given up, and both say so: the
// one that gave up, and the other, whether idle or not, when it hears of it.
func TestBothEndsReportWhichGaveUp(t *testing.T) {
	for _, busy := range []bool{false, true} {
		listened := 0
		s := simulate(t, Options{}, enginetest.Conditions{Delay: time.Millisecond}, func(c *socket.Config) {
			if listened++; listened == 2 { // as if rank 1 were stopped meanwhile
				c.PeerTimeout = time.Hour
			}
		})
		s.Pass(time.Minute)
		s.World.Filter(func(_, _ netip.AddrPort, packet []byte) bool { return enginetest.IsAbort(packet) })
		here, there := s.receive(0), s.receive(1)
		if busy {
			s.Send(0, make([]byte, 100))
		}
		assert.InDelta(t, rpi.DefaultPeerTimeout.Seconds(), s.fails(here).Seconds(), 10)
		assert.ErrorContains(t, here.Err, "rank 1 of the job: this rank heard nothing from it for 1m0s (SCTPMPI_PEER_TIMEOUT)")
		s.fails(there)
		assert.ErrorContains(t, there.Err, "rank 0 of the job: it gave up on this rank: it heard nothing from this rank for 1m0s (SCTPMPI_PEER_TIMEOUT)")
	}
}
