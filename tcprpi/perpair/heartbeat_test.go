package perpair

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake/handshaketest"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat/heartbeattest"
)

func TestHeartbeat(t *testing.T) {
	heartbeattest.Run(t, func(cfg rpi.Config) (heartbeattest.Rank, error) {
		opened, err := Open(cfg)
		if err != nil {
			return heartbeattest.Rank{}, err
		}
		tr := opened.(*Transport)
		return heartbeattest.Rank{Transport: tr, Beat: tr.watch.Tick, Clock: tr.watch.Clock, Heard: func(peer int) bool {
			tr.Lock.Lock()
			defer tr.Lock.Unlock()
			c := tr.conns[peer]
			return c.phase == gone || c.beat.Heard() || c.unread()
		}}, nil
	})
}

// A peer may say that it has given this rank up, with any time-out, or none.
func TestGivenUp(t *testing.T) {
	for milliseconds, text := range map[uint64]string{0: "gave up on this rank", 90_000: "for 1m30s", matching.MaxLength: "for 2562047h47m16.854s"} {
		v := victim(t, nil)
		nc := member(t, v)
		nc.Write(header.Append(nil, &header.Header{Kind: header.Alive}))
		nc.Write(header.Append(nil, &header.Header{Kind: header.GaveUp, Length: milliseconds}))
		r := receiveFrom(1)
		v.Start(r)
		<-r.Done()
		require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
		require.ErrorIs(t, r.Err, rpi.ErrGivenUp)
		require.ErrorContains(t, r.Err, text)
		handshaketest.RequireCut(t, nc)
	}
}

// What a process says to a peer that asks whether it lives, and has been given up.
func TestAWitnessTellsThePeerThatIsGivenUp(t *testing.T) {
	v := victim(t, nil)
	self := handshaketest.Rank(t, v.cfg, handshake.PerPair, v.Address())
	ask := func() error { return self.Witness(t.Context(), 2, &v.meter) }
	require.NoError(t, ask())
	nc := member(t, v)
	require.NoError(t, ask())
	nc.Close()
	r := receiveFrom(1)
	v.Start(r)
	<-r.Done()
	require.ErrorIs(t, ask(), rpi.ErrGivenUp)
}
