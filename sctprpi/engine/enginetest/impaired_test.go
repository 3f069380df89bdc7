package enginetest_test

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// A bad network damages the way, and not what is carried: a stream's messages all arrive,
// once and in order, although packets did not.
func TestAllArrivesOverABadNetwork(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	listen := func(seed uint64) *engine.Socket {
		s, err := engine.Listen(engine.Config{
			Config:  socket.Config{RTOInitial: 50 * time.Millisecond, SendBuffer: 64 << 20},
			Network: enginetest.Impair(enginetest.Impairments{Loss: 0.05, Reorder: 0.05, Duplicate: 0.05, Damage: 0.05}, seed),
		})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return s
	}
	a, b := listen(1), listen(2)
	id, err := a.Connect(b.LocalAddrs()...)
	require.NoError(t, err)
	const messages = 5000
	for i := range uint32(messages) {
		content := binary.BigEndian.AppendUint32(make([]byte, 1000), i)
		_, err := a.Send(id, []socket.Message{{Data: [][]byte{content}}})
		require.NoError(t, err)
	}
	events := make([]socket.Event, 64)
	for next, partial := uint32(0), []byte(nil); next < messages; {
		require.NoError(t, b.Wait(ctx), "after %d messages", next)
		n, err := b.Receive(events)
		require.NoError(t, err)
		for i := range events[:n] {
			if e := &events[i]; e.Kind == socket.Data {
				partial = append(partial, e.Payload...)
				if e.End {
					require.Len(t, partial, 1004)
					require.Equal(t, next, binary.BigEndian.Uint32(partial[1000:]))
					partial, next = partial[:0], next+1
				}
			}
			events[i].Release()
		}
	}
	status, err := a.Status(id)
	require.NoError(t, err)
	assert.NotZero(t, status.Retransmissions)
}
