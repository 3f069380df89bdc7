package handshake

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheOldestConnectionWithoutAProofIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := NewGate(64) // 4 places
		var theirs []net.Conn
		enter := func() *Pending {
			ours, other := net.Pipe()
			theirs = append(theirs, other)
			p := gate.Enter(t.Context(), ours)
			require.NotNil(t, p)
			go func() { // what a transport does
				_, _ = ours.Read(make([]byte, 1))
				p.Leave()
			}()
			return p
		}
		begun := time.Now()
		member := enter()
		require.True(t, member.Admit())
		for range 3 {
			enter()
		}
		require.Zero(t, time.Since(begun))
		enter()
		require.Equal(t, grace, time.Since(begun), "all others have had their grace")
		enter()
		require.Equal(t, grace, time.Since(begun))
		var cut []bool
		for _, other := range theirs {
			cut = append(cut, isEnd(other))
		}
		require.Equal(t, []bool{false, true, true, false, false, false}, cut)
		for _, other := range theirs {
			other.Close()
		}
	})
}

// isEnd reports whether the other side of a pipe is closed.
func isEnd(theirs net.Conn) bool {
	theirs.SetReadDeadline(time.Now())
	_, err := theirs.Read(make([]byte, 1))
	timeout, ok := err.(net.Error)
	return !ok || !timeout.Timeout()
}

func TestWhatWasSentAwayIsNotAdmitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := NewGate(0) // 2 places
		ours, _ := net.Pipe()
		p := gate.Enter(t.Context(), ours)
		require.False(t, gate.Evict())
		time.Sleep(grace)
		require.True(t, gate.Evict())
		require.False(t, p.Admit())
		p.Leave()
	})
}

func TestNoPeerEntersWhenTheTransportHasEnded(t *testing.T) {
	gate := NewGate(0)
	for range 2 {
		ours, _ := net.Pipe()
		require.NotNil(t, gate.Enter(t.Context(), ours))
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	ours, theirs := net.Pipe()
	require.Nil(t, gate.Enter(ended, ours))
	require.True(t, isEnd(theirs))
}
