package sctprpi

import (
	"context"
	"net/netip"
	"sync"
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

// A rank that was given up, and has not got the packet that says so, asks when the other knows nothing of their association any more.
func TestARankThatWasGivenUpUnheardAsks(t *testing.T) {
	listened := 0
	s := simulate(t, Options{}, enginetest.Conditions{Delay: time.Millisecond}, func(c *socket.Config) {
		if listened++; listened == 2 { // as if rank 1 were stopped meanwhile
			c.PeerTimeout = 10 * time.Hour
		}
	})
	s.Pass(time.Minute)
	s.World.Filter(func(_, _ netip.AddrPort, _ []byte) bool { return false })
	here, there := s.receive(0), s.receive(1)
	s.fails(here)
	s.World.Filter(nil)
	ctx, stop := context.WithCancel(t.Context())
	var driver sync.WaitGroup
	driver.Go(func() { s.World.Drive(ctx) }) // for as long as a goroutine looks the peer up, too
	<-there.Done()
	stop()
	driver.Wait()
	require.ErrorIs(t, there.Err, rpi.ErrGivenUp)
}

// A rank that gives no sign of life for half of that is suspected, until it answers. Nothing fails for it, and one that only has
// nothing to say is not suspected (rpi.Watchful).
func TestASilentRankIsSuspectedUntilItAnswers(t *testing.T) {
	const seldom = 10 * time.Second // at least as often it is asked for a sign of life
	for name, busy := range map[string]bool{"idle": false, "busy": true} {
		t.Run(name, func(t *testing.T) {
			s := simulate(t, Options{}, enginetest.Conditions{Delay: time.Millisecond})
			for range 10 {
				s.Pass(time.Minute)
				require.Empty(t, s.Ranks[0].Suspected())
			}
			s.World.Filter(func(_, _ netip.AddrPort, _ []byte) bool { return false })
			var sent, received *rpi.Request
			if busy {
				sent, received = s.Send(0, make([]byte, 100)), s.Post(rpi.OpRecv, 0, make([]byte, 100))
			}
			s.Pass(rpi.SuspectAfter(rpi.DefaultPeerTimeout) - seldom)
			require.Empty(t, s.Ranks[0].Suspected())
			s.Pass(2 * seldom)
			require.Equal(t, []matching.Rank{1}, s.Ranks[0].Suspected())
			s.World.Filter(nil)
			s.Pass(seldom)
			require.Empty(t, s.Ranks[0].Suspected())
			if busy {
				s.Run(sent, received)
			}
		})
	}
}

// One that is dead is not suspected any more.
func TestADeadRankIsNotSuspected(t *testing.T) {
	s := simulate(t, Options{}, enginetest.Conditions{Delay: time.Millisecond})
	s.World.Filter(func(_, _ netip.AddrPort, _ []byte) bool { return false })
	s.fails(s.receive(0))
	require.Empty(t, s.Ranks[0].Suspected())
}
