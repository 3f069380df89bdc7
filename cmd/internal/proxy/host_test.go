package proxy

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// Rank 1 of this host is to be started. Of other ranks, and of its own a second time, it may say nothing.
func TestHostSpeaksForItsOwnRanks(t *testing.T) {
	var started []int
	h := &Host{
		events: Events{Started: func(r *Remote) { started = append(started, r.Number()) }},
		conn:   newConn(noWriter{}, nil, nil), remotes: make(map[uint32]*Remote), waiting: map[uint32]bool{1: true},
	}
	say := func(kind frame.Kind, rank uint32, v any) error {
		return h.handle(frame.Frame{Kind: kind, Rank: rank, Payload: encode(v)})
	}
	assert.ErrorIs(t, say(frame.Started, 2, 100), frame.ErrGarbage)
	require.NoError(t, say(frame.Started, 1, 100))
	assert.ErrorIs(t, say(frame.Started, 1, 100), frame.ErrGarbage)
	require.NoError(t, say(frame.Ended, 2, process.Outcome{}))
	require.NoError(t, h.conn.deliver(frame.Frame{Kind: frame.Data, Stream: frame.Stdout, Rank: 2, Payload: []byte("text")}))
	assert.Equal(t, []int{1}, started)
	h.conn.close()
}
