package sctprpi

import (
	"encoding/binary"
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

// copier sends copies of what the ranks of a job send, which arrive before it. All that it gets it drops.
type copier struct {
	// as is what the copies seem to come from. Without an address they come from another port of the sender's.
	as netip.AddrPort
	// on: it is at work. got counts what it has been sent.
	on  bool
	got int
}

func (c *copier) source(from netip.AddrPort) netip.AddrPort {
	if c.as.Addr().IsValid() {
		return c.as
	}
	return netip.AddrPortFrom(from.Addr(), c.as.Port())
}

func (c *copier) listen(w *enginetest.World) {
	w.Copy(func(from, _ netip.AddrPort) (netip.AddrPort, bool) { return c.source(from), c.on })
	w.Filter(func(_, to netip.AddrPort, _ []byte) bool {
		if c.source(to) == to {
			c.got++
		}
		return true
	})
}

// exchange has a number go back and forth between the ranks, and returns how long that takes.
func (s *simulated) exchange(rounds int) time.Duration {
	began := s.World.Now()
	for i := range uint64(rounds) {
		for rank := range 2 {
			got, body := make([]byte, 8), binary.BigEndian.AppendUint64(nil, 2*i+uint64(rank))
			receive, send := simulation.Message(rpi.OpRecv, 1, got), simulation.Message(rpi.OpSend, 1, body)
			receive.Peer, send.Peer = matching.Rank(rank), matching.Rank(1-rank)
			s.Run(s.Begin(1-rank, receive), s.Begin(rank, send))
			require.Equal(s.T, body, got)
		}
	}
	return s.World.Now() - began
}

// TestCopiesThatWinTheRace: who hears all that two ranks say, and sends it again from elsewhere before it arrives, delays nothing, and
// nothing is sent there, whenever that begins. The original is what was repeated then, and is dropped.
func TestCopiesThatWinTheRace(t *testing.T) {
	const delay, rounds = 10 * time.Millisecond, 100
	for name, as := range map[string]netip.AddrPort{
		"another host":                    netip.MustParseAddrPort("10.9.9.9:9"),
		"another port of the rank's host": netip.AddrPortFrom(netip.Addr{}, 9),
	} {
		for when, fromTheStart := range map[string]bool{"later": false, "from the start": true} {
			t.Run(name+", "+when, func(t *testing.T) {
				c := &copier{as: as, on: fromTheStart}
				design := simulation.Design[*Transport]{
					New: New, Release: func(tr *Transport) { user{tr}.Release() }, Sealed: true, Before: c.listen,
				}
				s := &simulated{simulation.Start(t, design, Options{}, enginetest.Conditions{Delay: delay}, func(c *socket.Config) {
					// Time passes as fast as it can until a goroutine has looked the peer up.
					c.InitRetransmissions, c.RTOMax = 1<<20, time.Second
				})}
				answers := c.got
				c.on = true
				took := s.exchange(rounds)
				assert.Less(t, took, rounds*2*delay*3/2)
				assert.Equal(t, answers, c.got, "after the set-up nothing is sent to the copier")
				if !fromTheStart {
					assert.Zero(t, answers)
				}
			})
		}
	}
}
