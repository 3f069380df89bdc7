package rx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// idle is a Buffer that needs no release.
type idle struct{}

func (idle) Release() {}

// flow is an endless transfer into a Tracker and a Reassembly.
type flow struct {
	*Reassembly
	*Tracker
	t            testing.TB
	interleaving bool
	tsn          wire.TSN
	seq          wire.MID
	payload      []byte
	buffer       socket.Memory
	sack         []byte
	event        socket.Event
}

func newFlow(t testing.TB, interleaving bool) *flow {
	r, err := New(Config{Streams: 1, Interleaving: interleaving})
	require.NoError(t, err)
	tracker, err := NewTracker(0, AckPolicy{})
	require.NoError(t, err)
	return &flow{
		Reassembly: r, Tracker: tracker, t: t, interleaving: interleaving,
		payload: make([]byte, 1400), buffer: &idle{}, sack: make([]byte, 0, 1000),
	}
}

// arrive takes a chunk of a message, a packet each.
func (f *flow) arrive(flags wire.DataFlags, tsn wire.TSN, seq wire.MID, fsn wire.FSN) {
	if f.Arrive(tsn) != Fresh {
		f.t.Fatal("not fresh")
	}
	var err error
	if f.interleaving {
		err = f.IData(&wire.IData{Flags: flags, TSN: tsn, MID: seq, FSN: fsn, Payload: f.payload}, f.buffer)
	} else {
		err = f.Data(&wire.Data{Flags: flags, TSN: tsn, SSN: wire.SSN(seq), Payload: f.payload}, f.buffer)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	f.Accept(tsn, flags)
	f.EndPacket(0)
	if f.Due(0) {
		s := f.SACK(1000, f.Window())
		f.sack = wire.AppendSACK(f.sack[:0], &s)
	}
}

func (f *flow) read() {
	for f.Next(&f.event) {
		f.event.Release()
	}
}

// single is messages of one chunk, in order.
func (f *flow) single() {
	f.arrive(B|E, f.tsn, f.seq, 0)
	f.tsn++
	f.seq++
	f.read()
}

// fragmented is a message of 16 chunks, in order.
func (f *flow) fragmented() {
	for i := range wire.TSN(16) {
		var flags wire.DataFlags
		if i == 0 {
			flags |= B
		}
		if i == 15 {
			flags |= E
		}
		f.arrive(flags, f.tsn+i, f.seq, wire.FSN(i))
		f.read()
	}
	f.tsn += 16
	f.seq++
}

// reordered is 16 messages of one chunk, the first of which comes last.
func (f *flow) reordered() {
	for i := range wire.TSN(16) {
		n := (i + 1) % 16
		f.arrive(B|E, f.tsn+n, f.seq+wire.MID(n), 0)
	}
	f.read()
	f.tsn += 16
	f.seq += 16
}

var flows = map[string]func(*flow){
	"single": (*flow).single, "fragmented": (*flow).fragmented, "reordered": (*flow).reordered,
}

func TestReceivingDoesNotAllocate(t *testing.T) {
	for name, run := range flows {
		for _, interleaving := range []bool{false, true} {
			f := newFlow(t, interleaving)
			for range 10 {
				run(f)
			}
			assert.Zero(t, testing.AllocsPerRun(1000, func() { run(f) }), "%s, interleaving %v", name, interleaving)
		}
	}
}

// BenchmarkReceive shows what a chunk costs from its arrival to its delivery, SACKs
// included.
func BenchmarkReceive(b *testing.B) {
	for name, run := range flows {
		b.Run(name, func(b *testing.B) {
			f := newFlow(b, false)
			b.ReportAllocs()
			for b.Loop() {
				run(f)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(f.tsn), "ns/chunk")
		})
	}
}

// BenchmarkHostile shows the dearest chunk: one of many that arrive in an order that
// moves all the others.
func BenchmarkHostile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		f := newFlow(b, true)
		f.payload = f.payload[:1]
		for i := range DefaultBuffer / chunkCharge {
			f.arrive(B|E, wire.TSN(i), wire.MID(DefaultBuffer-i), 0)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(DefaultBuffer/chunkCharge), "ns/chunk")
}
