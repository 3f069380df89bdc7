package pertrc

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

// openMortals opens a job of two whose rank 0 does not outlive the test.
func openMortals(t *testing.T) []*Transport {
	ranks := make([]*Transport, 2)
	for rank := range ranks {
		var err error
		ranks[rank], err = New(rpi.Config{Rank: rank, Size: 2, Token: token, PeerTimeout: 10 * time.Minute, Lookup: func(_ context.Context, peer int) (string, error) {
			return ranks[peer].Address(), nil
		}}, associations.Options{})
		require.NoError(t, err)
		t.Cleanup(ranks[rank].Kill)
	}
	return ranks
}

func requirePeerError(t *testing.T, r *rpi.Request) {
	t.Helper()
	<-r.Done()
	var peer *rpi.PeerError
	require.ErrorAs(t, r.Err, &peer)
	require.Zero(t, peer.Peer)
}

// TestKilledAmidMessages: what had come whole can be received, and nothing else.
func TestKilledAmidMessages(t *testing.T) {
	const long = 100 << 20
	ranks := openMortals(t)
	const whole = 50
	for i := range whole { // two of each TRC, of three kinds: empty, copied, zero-copy
		for range 2 {
			do(t, ranks[0], request(rpi.OpSend, 1, i, append(text(i), make([]byte, i%3*10_000)...)))
		}
	}
	begun := start(ranks[1], request(rpi.OpRecv, 0, 100, make([]byte, long)))
	start(ranks[0], request(rpi.OpSend, 1, 100, make([]byte, long)))
	start(ranks[0], request(rpi.OpSend, 1, 101, make([]byte, long)))
	do(t, ranks[1], request(rpi.OpProbe, 0, 101, nil))
	taken := do(t, ranks[1], request(rpi.OpMprobe, 0, 101, nil)).Message
	ranks[0].Kill()

	// The first may have been received before.
	<-begun.Done()
	if begun.Err != nil {
		requirePeerError(t, begun)
	}
	byMessage := request(rpi.OpRecv, 0, 101, make([]byte, long))
	byMessage.Message = taken
	requirePeerError(t, start(ranks[1], byMessage))
	requirePeerError(t, start(ranks[1], request(rpi.OpRecv, 0, 101, make([]byte, long))))
	requirePeerError(t, start(ranks[1], request(rpi.OpSend, 0, 1, nil)))
	for i := range whole {
		for range 2 {
			r := do(t, ranks[1], request(rpi.OpRecv, 0, i, make([]byte, 4+20_000)))
			require.EqualValues(t, 4+i%3*10_000, r.Status.Length)
			require.Equal(t, text(i), r.Buf[:4])
		}
	}
	requirePeerError(t, start(ranks[1], request(rpi.OpRecv, 0, int(matching.AnyTag), nil)))
}

// TestFinalizedWithUnreadMessages: they can be received when their sender is gone.
func TestFinalizedWithUnreadMessages(t *testing.T) {
	ranks := openMortals(t)
	const messages = 200
	for i := range messages {
		do(t, ranks[0], request(rpi.OpSend, 1, i/2, append(text(i), make([]byte, i*100)...)))
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	closed := make(chan error)
	go func() { closed <- ranks[0].Close(ctx) }()
	requirePeerError(t, start(ranks[1], request(rpi.OpRecv, 0, messages, nil)))
	for i := range messages {
		r := do(t, ranks[1], request(rpi.OpRecv, 0, i/2, make([]byte, 4+messages*100)))
		require.EqualValues(t, 4+i*100, r.Status.Length)
		require.Equal(t, text(i), r.Buf[:4])
	}
	requirePeerError(t, start(ranks[1], request(rpi.OpRecv, 0, int(matching.AnyTag), nil)))
	require.NoError(t, ranks[1].Close(ctx))
	require.NoError(t, <-closed)
}
