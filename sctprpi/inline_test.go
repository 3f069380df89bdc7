package sctprpi

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A rank in rpi.Inline that makes no call for three times the peer time-out is not taken for dead,
// because its end of the association goes on. No message is delivered to it meanwhile.
func TestARankThatComputesInInlineLives(t *testing.T) {
	const timeout = time.Second
	p := &pair{w: rpi.NewWaiter()}
	for rank := range p.ranks {
		var err error
		p.ranks[rank], err = New(rpi.Config{
			Rank: rank, Size: 2, Progress: rpi.Inline, PeerTimeout: timeout,
			Lookup: func(_ context.Context, peer int) (string, error) { return p.ranks[peer].Address(), nil },
		}, Options{})
		require.NoError(t, err)
		t.Cleanup(p.ranks[rank].Kill)
	}
	// A rank takes part in the handshake only within its calls.
	stop := p.ranks[1].associations.Driver().Serve()
	require.NoError(t, p.ranks[0].Connect(t.Context()))
	stop()

	var send, receive rpi.Request
	p.start(1, &receive, rpi.OpRecv, 1, make([]byte, 8))
	p.start(0, &send, rpi.OpSend, 1, make([]byte, 8))
	p.complete(t, 0, &send)
	<-time.After(3 * timeout) // rank 1 computes, and so does rank 0
	assert.False(t, receive.Completed(), "delivered outside of a call")
	p.complete(t, 1, &receive)

	p.start(0, &receive, rpi.OpRecv, 1, make([]byte, 8))
	p.start(1, &send, rpi.OpSend, 1, make([]byte, 8))
	p.complete(t, 1, &send)
	p.complete(t, 0, &receive)
}
