package pertrc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/trc"
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
			tr.lock.Lock()
			defer tr.lock.Unlock()
			p := &tr.peers[peer]
			return p.Dead || p.beat.Heard() || p.unread()
		}}, nil
	})
}

// A peer may say that it has given this rank up, with any time-out, or none.
func TestGivenUp(t *testing.T) {
	for milliseconds, text := range map[matching.Seq]string{0: "gave up on this rank", 90_000: "for 1m30s", math.MaxUint64: "for 2562047h47m16.854s"} {
		v := victim(t, nil)
		control := join(t, v, greeting(forControl, 0))
		for _, n := range []trc.Note{{Kind: trc.Alive}, {Kind: trc.GaveUp, Seq: milliseconds}} {
			control.Write(n.Append(nil))
		}
		r := start(v, receiveAny(1))
		<-r.Done()
		require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
		require.ErrorIs(t, r.Err, rpi.ErrGivenUp)
		require.ErrorContains(t, r.Err, text)
		handshaketest.RequireCut(t, control)
	}
}

// What a process says to a peer that asks whether it lives, and has been given up.
func TestAWitnessTellsThePeerThatIsGivenUp(t *testing.T) {
	v := victim(t, nil)
	self := handshaketest.Rank(t, v.cfg, handshake.PerTRC, v.Address())
	ask := func() error { return self.Witness(t.Context(), 2, &v.meter) }
	require.NoError(t, ask())
	control := join(t, v, greeting(forControl, 0))
	require.NoError(t, ask())
	control.Close()
	r := start(v, receiveAny(1))
	<-r.Done()
	require.ErrorIs(t, ask(), rpi.ErrGivenUp)
}
