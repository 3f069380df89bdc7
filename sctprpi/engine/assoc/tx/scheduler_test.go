package tx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
)

// served queues two messages of 2000 bytes on each of streams 2, 0 and 1, in that
// order, and returns the streams of the packets that follow.
func served(t *testing.T, kind Scheduler, interleaving bool, values ...uint16) []wire.StreamID {
	t.Helper()
	r := newRig(t, func(c *Config) { c.Scheduler, c.Interleaving = kind, interleaving })
	r.SetMaxChunk(0, 1000+headerSize(interleaving))
	for id, v := range values {
		require.NoError(t, r.SetStreamValue(wire.StreamID(id), v))
	}
	for range 2 {
		for _, id := range []wire.StreamID{2, 0, 1} {
			require.NoError(t, r.Queue(0, Message{Stream: id, Data: [][]byte{make([]byte, 2000)}}))
		}
	}
	var order []wire.StreamID
	for {
		chunks := r.Next(nil, 0, 0, 1000+headerSize(interleaving))
		if len(chunks) == 0 {
			return order
		}
		require.Len(t, chunks, 1)
		order = append(order, chunks[0].Stream)
	}
}

func TestSchedulers(t *testing.T) { // RFC 8260, section 3
	type order = []wire.StreamID
	for name, tc := range map[string]struct {
		kind         Scheduler
		interleaving bool
		values       []uint16
		want         order
	}{
		"first come, first served":            {FirstComeFirstServed, false, nil, order{2, 2, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1}},
		"first come, first served, I-DATA":    {FirstComeFirstServed, true, nil, order{2, 2, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1}},
		"round robin by message":              {RoundRobin, false, nil, order{2, 2, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1}},
		"round robin by chunk":                {RoundRobin, true, nil, order{2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}},
		"priority":                            {PriorityBased, false, []uint16{5, 1, 5}, order{1, 1, 1, 1, 2, 2, 0, 0, 2, 2, 0, 0}},
		"priority, I-DATA":                    {PriorityBased, true, []uint16{5, 1, 5}, order{1, 1, 1, 1, 2, 0, 2, 0, 2, 0, 2, 0}},
		"fair capacity":                       {WeightedFairQueueing, true, nil, order{2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}},
		"weighted fair queueing":              {WeightedFairQueueing, true, []uint16{1, 3, 1}, order{2, 0, 1, 1, 1, 1, 2, 0, 2, 0, 2, 0}},
		"weighted fair queueing, by messages": {WeightedFairQueueing, false, []uint16{1, 3, 1}, order{2, 2, 0, 0, 1, 1, 1, 1, 2, 2, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tc.want, served(t, tc.kind, tc.interleaving, tc.values...))
		})
	}
}

func TestFairCapacityIsByBytesNotMessages(t *testing.T) { // RFC 8260, section 3.5
	r := newRig(t, func(c *Config) { c.Scheduler = WeightedFairQueueing })
	for range 100 {
		require.NoError(t, r.Queue(0, Message{Stream: 0, Data: [][]byte{make([]byte, 900)}}))
		require.NoError(t, r.Queue(0, Message{Stream: 1, Data: [][]byte{make([]byte, 100)}}))
	}
	for range 15 {
		r.Next(nil, 0, 0, rigChunk)
	}
	big, _, err := r.StreamBytes(0)
	require.NoError(t, err)
	small, _, err := r.StreamBytes(1)
	require.NoError(t, err)
	assert.InDelta(t, 90_000-big, 10_000-small, 1000)
	assert.Less(t, big, 90_000-4000)
}

func TestANewStreamHasNoArrears(t *testing.T) { // weighted fair queueing's virtual time
	r := newRig(t, func(c *Config) { c.Scheduler = WeightedFairQueueing })
	r.queue(100)
	for range 50 {
		r.packet(0)
	}
	for range 10 {
		require.NoError(t, r.Queue(0, Message{Stream: 1, Data: [][]byte{make([]byte, 1000)}}))
	}
	count := map[wire.StreamID]int{}
	for range 10 {
		count[r.Next(nil, 0, 0, rigChunk)[0].Stream]++
	}
	assert.InDelta(t, 5, count[1], 1, "it shares from now on, and does not catch up")
}

func TestAPriorityCanChangeWhileQueued(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Scheduler = PriorityBased })
	for id := range wire.StreamID(2) {
		require.NoError(t, r.SetStreamValue(id, 10))
		require.NoError(t, r.Queue(0, Message{Stream: id, Data: [][]byte{make([]byte, 1000)}}))
	}
	require.NoError(t, r.SetStreamValue(1, 9))
	assert.Equal(t, wire.StreamID(1), r.Next(nil, 0, 0, rigChunk)[0].Stream)
}
