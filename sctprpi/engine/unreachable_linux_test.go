package engine

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// await returns the next event of a kind.
func await(t *testing.T, s *Socket, kind socket.Kind) socket.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for {
		var events [1]socket.Event
		n, err := s.Receive(events[:])
		require.NoError(t, err)
		if n == 1 {
			events[0].Release()
			if events[0].Kind == kind {
				return events[0]
			}
			continue
		}
		require.NoError(t, s.Wait(ctx), "waiting for %v", kind)
	}
}

// A peer that is gone without a word is noticed as soon as its host has said a few times
// that no socket has the port, long before the retransmissions have run out.
func TestKilledPeerIsNoticed(t *testing.T) {
	a, b := listen(t, Config{}), listen(t, Config{})
	_, err := a.Connect(b.LocalAddrs()...)
	require.NoError(t, err)
	id := await(t, a, socket.Up).Assoc
	await(t, b, socket.Up)
	require.NoError(t, b.conn.Close())
	killed := time.Now()
	_, err = a.Send(id, []socket.Message{{Data: [][]byte{{1}}}})
	require.NoError(t, err)
	require.ErrorIs(t, await(t, a, socket.Lost).Err, socket.ErrUnreachable)
	t.Logf("noticed after %v", time.Since(killed))
	require.NoError(t, a.Close())
	_ = b.Close() // whose network is gone
}
