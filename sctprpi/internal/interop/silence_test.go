//go:build !race && linux

package interop

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func silenceOfCaller(s *setting) { silence(s, true) }
func silenceOfCalled(s *setting) { silence(s, false) }

// silence: an end that hears nothing from the other for Config.PeerTimeout gives it up, with
// data under way or without, and the other is told. How long it took is logged.
func silence(s *setting, ofCaller bool) {
	impatient := socket.Config{
		PeerTimeout: time.Second, RTOMax: 100 * time.Millisecond, Heartbeat: 100 * time.Millisecond,
		AssocRetransmissions: 8, PathRetransmissions: 4,
	}
	patient := impatient
	patient.PeerTimeout = time.Hour
	for _, busy := range []bool{true, false} {
		configs := []socket.Config{impatient, patient}
		if ofCaller {
			configs = []socket.Config{patient, impatient}
		}
		ends := []*interoptest.Peer{
			s.peer(0, s.caller, configs[0], interoptest.Local{}, 0),
			s.peer(1, s.called, configs[1], interoptest.Local{}, 0),
		}
		interoptest.Join(ends[0], ends[1])
		interoptest.Converse(ends[0], ends[1])
		deaf, mute := 0, 1
		if ofCaller {
			deaf, mute = 1, 0
		}
		s.hears(deaf, "loss 100%")
		if busy {
			ends[deaf].Queue(interoptest.NewMessage(0, 1000))
		}
		begun := time.Now()
		for _, p := range []*interoptest.Peer{ends[deaf], ends[mute]} {
			p.Until("the end", func() bool { return p.End != nil })
			s.Logf("busy %v: given up after %v: %v", busy, time.Since(begun).Round(10*time.Millisecond), p.End.Err)
		}
		assert.ErrorIs(s, ends[deaf].End.Err, socket.ErrSilent)
		var abort *socket.AbortError
		require.True(s, errors.As(ends[mute].End.Err, &abort), "%v", ends[mute].End.Err)
		assert.True(s, abort.Silence(), "%v", abort)
		s.hears(deaf, "")
		for _, p := range ends {
			require.NoError(s, p.Close())
		}
	}
}

// An idle peer that lives is never given up, although neither end has heartbeats: it is asked for a sign of
// life when it has given none for a beat. The other end waits for nothing.
func TestAnIdlePeerIsNotGivenUp(t *testing.T) {
	labtest.InLab(t)
	s := newSetting(t, pair{"kernel_calls_kernel", interoptest.KernelOverIP, interoptest.KernelOverIP}, nil)
	quiet := socket.Config{Heartbeat: -1, RTOMax: 100 * time.Millisecond}
	watching := quiet
	watching.PeerTimeout = time.Second
	watcher := s.peer(0, s.caller, watching, interoptest.Local{}, 0)
	idler := s.peer(1, s.called, quiet, interoptest.Local{}, 0)
	interoptest.Join(watcher, idler)
	interoptest.Converse(watcher, idler)
	const answers = 15 // at every second eighth of the time-out
	before, err := watcher.Status(watcher.ID)
	require.NoError(t, err)
	watcher.Poll("signs of life", func() bool {
		status, err := watcher.Status(watcher.ID)
		require.NoError(t, err)
		require.Less(t, status.Silence, watching.PeerTimeout/2)
		return status.PacketsReceived >= before.PacketsReceived+answers
	})
	interoptest.Converse(watcher, idler)
}

// hears has all packets that come to a host over the first link meet conditions.
func (s *setting) hears(host int, conditions string) {
	s.Helper()
	c, err := netem.Parse(conditions)
	require.NoError(s, err)
	require.NoError(s, s.net.Host(host).Link(0).Apply(c))
}
