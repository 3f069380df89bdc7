package tx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/heaptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const kib = 1 << 10

// bursting returns a Sender of 1024 streams with a path that carries anything.
func bursting(t *testing.T, control Controller) *Sender {
	s, err := New(Config{
		Streams: 1024, PeerWindow: 1 << 30, MaxBurst: 1 << 16,
		NewController: func(maxChunk int) Controller {
			if control == nil {
				return NewCubic(maxChunk)
			}
			return control
		},
	})
	require.NoError(t, err)
	_, err = s.AddPath(rigChunk)
	require.NoError(t, err)
	return s
}

// exchange sends n chunks on a stream and has them acknowledged, all but every
// third of them first.
func exchange(t *testing.T, s *Sender, stream socket.StreamID, n int) {
	data := [][]byte{make([]byte, 1000)}
	for range n {
		require.NoError(t, s.Queue(0, &socket.Message{Stream: stream, Data: data}))
	}
	var sack wire.SACK
	sack.CumulativeTSN = s.NextTSN() - 1
	sack.Window = 1 << 30
	for len(s.Next(nil, 0, 0, rigChunk)) > 0 {
	}
	for at := 2; at+1 <= n; at += 3 {
		sack.GapBlocks = sack.GapBlocks.Append(wire.GapBlock{Start: uint16(at), End: uint16(at + 1)})
	}
	_, err := s.Sack(ms, &sack)
	require.NoError(t, err)
	for range 2 {
		_, err = s.Sack(ms, &wire.SACK{CumulativeTSN: s.NextTSN() - 1, Window: 1 << 30})
		require.NoError(t, err)
	}
	for _, ok := s.NextRelease(); ok; _, ok = s.NextRelease() {
	}
	require.True(t, s.Drained())
}

func TestAnIdleSenderTakesLittleMemory(t *testing.T) {
	unused := heaptest.Of(200, func() *Sender { return bursting(t, nil) })
	used := heaptest.Of(200, func() *Sender {
		s := bursting(t, nil)
		exchange(t, s, 700, 1)
		return s
	})
	t.Logf("unused %d bytes, after a message %d", unused, used)
	assert.Less(t, unused, 1800)
	assert.Less(t, used, 3200)
}

func TestAnIdleSenderGivesUpWhatABurstTook(t *testing.T) {
	open := &fixed{window: 1 << 30}
	left := heaptest.Of(20, func() *Sender {
		s := bursting(t, open)
		exchange(t, s, 0, 3000)
		open.acks = nil
		return s
	})
	t.Logf("%d bytes", left)
	assert.Less(t, left, 36*kib, "of 600 KiB")
}
