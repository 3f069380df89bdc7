package tx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// served queues two messages of 2000 bytes on each of streams 2, 0 and 1, in that
// order, and returns the streams of the packets that follow.
func served(t *testing.T, kind socket.Scheduler, interleaving bool, values ...uint16) []socket.StreamID {
	t.Helper()
	r := newRig(t, func(c *Config) { c.Scheduler, c.Interleaving = kind, interleaving })
	r.SetMaxChunk(0, 1000+headerSize(interleaving))
	for id, v := range values {
		require.NoError(t, r.SetStreamValue(socket.StreamID(id), v))
	}
	for range 2 {
		for _, id := range []socket.StreamID{2, 0, 1} {
			require.NoError(t, r.Queue(0, &socket.Message{Stream: id, Data: [][]byte{make([]byte, 2000)}}))
		}
	}
	var order []socket.StreamID
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
	type order = []socket.StreamID
	for name, tc := range map[string]struct {
		kind         socket.Scheduler
		interleaving bool
		values       []uint16
		want         order
	}{
		"first come, first served":            {socket.FirstCome, false, nil, order{2, 2, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1}},
		"first come, first served, I-DATA":    {socket.FirstCome, true, nil, order{2, 2, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1}},
		"round robin by message":              {socket.RoundRobin, false, nil, order{2, 2, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1}},
		"round robin by chunk":                {socket.RoundRobin, true, nil, order{2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}},
		"priority":                            {socket.Priority, false, []uint16{5, 1, 5}, order{1, 1, 1, 1, 2, 2, 0, 0, 2, 2, 0, 0}},
		"priority, I-DATA":                    {socket.Priority, true, []uint16{5, 1, 5}, order{1, 1, 1, 1, 2, 0, 2, 0, 2, 0, 2, 0}},
		"fair capacity":                       {socket.Weighted, true, nil, order{2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}},
		"weighted fair queueing":              {socket.Weighted, true, []uint16{1, 3, 1}, order{2, 0, 1, 1, 1, 1, 2, 0, 2, 0, 2, 0}},
		"weighted fair queueing, by messages": {socket.Weighted, false, []uint16{1, 3, 1}, order{2, 2, 0, 0, 1, 1, 1, 1, 2, 2, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tc.want, served(t, tc.kind, tc.interleaving, tc.values...))
		})
	}
}

// sharing are the schedulers under which streams of equal values share by bytes.
var sharing = map[string]socket.Scheduler{"fair capacity": socket.Weighted, "equal priority": socket.Priority}

func TestStreamsShareByBytesNotMessages(t *testing.T) { // RFC 8260, section 3.5
	for name, kind := range sharing {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(c *Config) { c.Scheduler = kind })
			for range 100 {
				require.NoError(t, r.Queue(0, &socket.Message{Stream: 0, Data: [][]byte{make([]byte, 900)}}))
				require.NoError(t, r.Queue(0, &socket.Message{Stream: 1, Data: [][]byte{make([]byte, 100)}}))
			}
			for range 15 {
				r.Next(nil, 0, 0, rigChunk)
			}
			big, small := r.queuedOn(0), r.queuedOn(1)
			assert.InDelta(t, 90_000-big, 10_000-small, 1000)
			assert.Less(t, big, 90_000-4000)
		})
	}
}

func TestANewStreamHasNoArrears(t *testing.T) { // it begins at the virtual time
	for name, kind := range sharing {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(c *Config) { c.Scheduler = kind })
			r.queue(100)
			for range 50 {
				r.packet(0)
			}
			r.queueOn(1, 10, 1000)
			count := map[socket.StreamID]int{}
			for range 10 {
				count[r.Next(nil, 0, 0, rigChunk)[0].Stream]++
			}
			assert.InDelta(t, 5, count[1], 1, "it shares from now on, and does not catch up")
		})
	}
}

// However long a message of another stream is, all that a stream of small ones has
// queued meanwhile goes right after it.
func TestSmallMessagesDoNotPileUpBehindLargeOnesOfTheirPriority(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Scheduler = socket.Priority })
	r.queueOn(0, 3, 20_000)
	r.packet(0)
	r.queueOn(1, 20, 250)
	for range 19 {
		require.Equal(t, socket.StreamID(0), r.Next(nil, 0, 0, rigChunk)[0].Stream, "a message is finished")
	}
	var order []socket.StreamID
	for len(order) < 20 {
		for _, c := range r.Next(nil, 0, 0, rigChunk) {
			order = append(order, c.Stream)
		}
	}
	assert.NotContains(t, order[:20], socket.StreamID(0))
}

// A stream that has had to wait for higher priorities has as much right as those of its
// own that come meanwhile, and no more: each priority has its own virtual time.
func TestAStarvedStreamHasNoArrearsEither(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Scheduler = socket.Priority })
	for id := socket.StreamID(1); id <= 2; id++ {
		require.NoError(t, r.SetStreamValue(id, 5))
	}
	r.queueOn(1, 20, 1000)
	r.queueOn(0, 50, 1000)
	for range 50 {
		require.Equal(t, socket.StreamID(0), r.Next(nil, 0, 0, rigChunk)[0].Stream)
	}
	r.queueOn(2, 20, 1000)
	count := map[socket.StreamID]int{}
	for range 20 {
		count[r.Next(nil, 0, 0, rigChunk)[0].Stream]++
	}
	assert.Equal(t, map[socket.StreamID]int{1: 10, 2: 10}, count)
}

func TestAStreamThatChangesPriorityHasNoArrears(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Scheduler = socket.Priority })
	require.NoError(t, r.SetStreamValue(1, 5))
	r.queueOn(0, 50, 1000)
	for range 30 {
		r.packet(0)
	}
	r.queueOn(1, 20, 1000)
	require.NoError(t, r.SetStreamValue(1, 0))
	count := map[socket.StreamID]int{}
	for range 20 {
		count[r.Next(nil, 0, 0, rigChunk)[0].Stream]++
	}
	assert.Equal(t, map[socket.StreamID]int{0: 10, 1: 10}, count)
}

func TestAPriorityCanChangeWhileQueued(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Scheduler = socket.Priority })
	for id := range socket.StreamID(2) {
		require.NoError(t, r.SetStreamValue(id, 10))
		require.NoError(t, r.Queue(0, &socket.Message{Stream: id, Data: [][]byte{make([]byte, 1000)}}))
	}
	require.NoError(t, r.SetStreamValue(1, 9))
	assert.Equal(t, socket.StreamID(1), r.Next(nil, 0, 0, rigChunk)[0].Stream)
}
