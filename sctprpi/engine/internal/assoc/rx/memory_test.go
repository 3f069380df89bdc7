package rx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/heaptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// half is the receiving half of an association.
type half struct {
	*Tracker
	*Reassembly
}

func manyStreams(t *testing.T, interleaving bool) half {
	tracker, err := NewTracker(0, AckPolicy{})
	require.NoError(t, err)
	r, err := New(Config{Streams: 1024, Interleaving: interleaving})
	require.NoError(t, err)
	return half{tracker, r}
}

// receive takes the chunk of a message of one chunk, or a fragment of one.
func (h half) receive(t *testing.T, d wire.Data) {
	if h.Arrive(d.TSN) != Fresh {
		t.Fatal("not fresh")
	}
	var err error
	if h.config.Interleaving {
		err = h.IData(&wire.IData{
			Flags: d.Flags, TSN: d.TSN, Stream: d.Stream, MID: wire.MID(d.SSN), FSN: wire.FSN(d.TSN), Payload: d.Payload,
		}, nil)
	} else {
		err = h.Data(&d, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	h.Accept(d.TSN, d.Flags)
	h.EndPacket(0)
	if h.Due(0) {
		h.SACK(1400, h.Window())
	}
}

func (h half) drain(t *testing.T) {
	for e := (socket.Event{}); h.Next(&e); {
	}
	require.Zero(t, h.Held())
	require.False(t, h.Gaps())
}

func TestAnIdleReceiverTakesLittleMemory(t *testing.T) {
	for name, interleaving := range map[string]bool{"DATA": false, "I-DATA": true} {
		unused := heaptest.Of(200, func() half { return manyStreams(t, interleaving) })
		payload := make([]byte, 100)
		used := heaptest.Of(200, func() half {
			h := manyStreams(t, interleaving)
			h.receive(t, wire.Data{Flags: B | E, Stream: 700, Payload: payload})
			h.drain(t)
			return h
		})
		t.Logf("%s: unused %d bytes, after a message %d", name, unused, used)
		assert.Less(t, unused, 3*kib/2)
		assert.Less(t, used, 2*kib)
	}
}

func TestAnIdleReceiverGivesUpWhatABurstTook(t *testing.T) {
	const n = 8000
	payload := make([]byte, 8)
	// Each burst arrives in an order that makes as much wait as possible.
	for name, burst := range map[string]struct {
		interleaving bool
		flags        func(i int) wire.DataFlags
	}{
		"messages":                     {false, func(int) wire.DataFlags { return B | E }},
		"interleaved messages":         {true, func(int) wire.DataFlags { return B | E }},
		"unordered messages":           {false, func(int) wire.DataFlags { return B | E | U }},
		"fragments of one message":     {false, fragmentOf(n)},
		"unordered fragments":          {false, func(i int) wire.DataFlags { return U | fragmentOf(n)(i) }},
		"interleaved fragments":        {true, fragmentOf(n)},
		"unordered fragments in pairs": {false, func(i int) wire.DataFlags { return U | fragmentOf(2)(i%2) }},
	} {
		t.Run(name, func(t *testing.T) {
			left := heaptest.Of(5, func() half {
				h := manyStreams(t, burst.interleaving)
				var ssn wire.SSN
				var ssns [n]wire.SSN
				for i := range n {
					ssns[i] = ssn
					if burst.flags(i)&E != 0 && burst.flags(i)&U == 0 {
						ssn++
					}
				}
				for _, odd := range []int{1, 0} {
					for i := n - 2 + odd; i >= 0; i -= 2 {
						h.receive(t, wire.Data{Flags: burst.flags(i), TSN: wire.TSN(i), SSN: ssns[i], Payload: payload})
					}
				}
				h.drain(t)
				return h
			})
			t.Logf("%d bytes", left)
			assert.Less(t, left, 40*kib)
		})
	}
}

// fragmentOf returns the flags of the fragments of a message of n.
func fragmentOf(n int) func(i int) wire.DataFlags {
	return func(i int) (flags wire.DataFlags) {
		if i == 0 {
			flags |= B
		}
		if i == n-1 {
			flags |= E
		}
		return flags
	}
}
