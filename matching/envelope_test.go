package matching

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// envelopes has one of each kind, with every field that means something.
var envelopes = []Envelope{
	{Kind: Eager, Sync: true, Tag: 1<<31 - 1, Context: 1<<64 - 1, Seq: 1<<64 - 1, Length: 24, ElemSize: 8, Type: 1<<32 - 1, SendID: 1<<32 - 1},
	{Kind: Eager, Tag: 7, Context: 3, Seq: 9},
	{Kind: RTS, Tag: 7, Context: 3, Seq: 9, Length: MaxLength, ElemSize: 1 << 15, Type: 5, SendID: 11},
	{Kind: Eager, Tag: 7, Context: 3, Seq: 9, Sync: true, SendID: 11, Slot: MaxSlots - 1},
	{Kind: Void, Tag: 7, Context: 3, Seq: 9},
	{Kind: CTS, SendID: 11, RecvID: 12},
	{Kind: Body, RecvID: 12, Offset: MaxLength - 1, Length: 1},
	{Kind: Ack, SendID: 11},
	{Kind: Retract, SendID: 11, Context: 3, Tag: 7, Seq: 9},
	{Kind: Retracted, SendID: 11},
	{Kind: Credit, Length: 4096},
	{Kind: Credit, Length: 4096, Rationed: true, Tag: 7, Context: 3},
	{Kind: Eager, Tag: 7, Context: 3, Seq: 9, Rationed: true},
	{Kind: RTS, Tag: 7, Context: 3, Seq: 9, SendID: 11, Rationed: true},
	{Kind: Bye},
	{Kind: Alive},
	{Kind: GaveUp, Length: 60_000},
	{Kind: RTS, Tag: 7, Context: 3, Seq: 9, SendID: 11, Answer: ToTag},
	{Kind: RTS, Tag: 7, Context: 3, Seq: 9, SendID: 11, Answer: ToAnyTag},
	{Kind: RTS, Tag: 7, Context: 3, Seq: 9, SendID: 11, Answer: ToAnyContext},
	{Kind: Held, Tag: 7, Context: 3},
	{Kind: Demand, Tag: AnyTag, Context: 3},
	{Kind: None, Tag: AnyTag, Context: 3, Length: 4},
	{Kind: Demand, Tag: AnyTag, Context: AnyContext},
	{Kind: Undeliverable, SendID: 11},
}

func TestEnvelopeRoundTrip(t *testing.T) {
	kinds := make(map[Kind]bool)
	for _, e := range envelopes {
		kinds[e.Kind] = true
		b := AppendEnvelope([]byte("before"), &e)
		require.Len(t, b, len("before")+EnvelopeSize)
		var got Envelope
		require.NoError(t, ParseEnvelope(&got, append(b[len("before"):], "behind"...)), e.Kind)
		require.Equal(t, e, got)
	}
	require.Len(t, kinds, int(kindEnd)-1, "every kind")
}

func TestEnvelopeOnTheWire(t *testing.T) {
	b := AppendEnvelope(nil, &Envelope{
		Kind: Eager, Sync: true, ElemSize: 0x0304, Tag: 0x05060708, Context: 0x1112131415161718,
		Seq: 0x2122232425262728, Length: 0x3132333435363738, Type: 0x41424344, SendID: 0x51525354,
	})
	require.Equal(t, []byte{
		1, 1, 3, 4, 5, 6, 7, 8,
		0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
		0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28,
		0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38,
		0x41, 0x42, 0x43, 0x44, 0x51, 0x52, 0x53, 0x54,
	}, b)
}

func TestParseEnvelopeKeepsNothingOfTheOldValue(t *testing.T) {
	e := envelopes[0]
	require.NoError(t, ParseEnvelope(&e, AppendEnvelope(nil, &Envelope{Kind: Bye})))
	require.Equal(t, Envelope{Kind: Bye}, e)
}

func TestParseEnvelopeRefusesWhatNoSenderProduces(t *testing.T) {
	eager := Envelope{Kind: Eager, Tag: 7, Length: 8, ElemSize: 4}
	cases := []struct {
		name   string
		from   Envelope
		change func(b []byte) []byte
		says   string
	}{
		{"empty", eager, func(b []byte) []byte { return nil }, "0 bytes, want 40"},
		{"short", eager, func(b []byte) []byte { return b[:EnvelopeSize-1] }, "39 bytes, want 40"},
		{"kind 0", eager, func(b []byte) []byte { b[0] = 0; return b }, "unknown kind(0)"},
		{"kind beyond the last", eager, func(b []byte) []byte { b[0] = byte(kindEnd); return b }, "unknown kind(17)"},
		{"a slot of an announcement", Envelope{Kind: RTS}, func(b []byte) []byte { b[1] = 16; return b }, "flags 0x10 in a frame of kind RTS"},
		{"a ration of what has none", Envelope{Kind: Void}, func(b []byte) []byte { b[1] = flagRationed; return b }, "flags 0x8 in a frame of kind void"},
		{"a ration of a demanded message", Envelope{Kind: RTS, Answer: ToTag}, func(b []byte) []byte { b[1] |= flagRationed; return b }, "flags 0xa in a frame of kind RTS"},
		{"an eager answer", eager, func(b []byte) []byte { b[1] = 2; return b }, "flags 0x2 in a frame of kind eager"},
		{"another wildcard", Envelope{Kind: Demand}, func(b []byte) []byte { copy(b[4:], "\xff\xff\xff\xfe"); return b }, "negative tag -2"},
		{"a wildcard that is held", Envelope{Kind: Held}, func(b []byte) []byte { copy(b[4:], "\xff\xff\xff\xff"); return b }, "negative tag -1"},
		{"sync RTS", Envelope{Kind: RTS}, func(b []byte) []byte { b[1] = flagSync; return b }, "flags 0x1 in a frame of kind RTS"},
		{"sync void", Envelope{Kind: Void}, func(b []byte) []byte { b[1] = flagSync; return b }, "flags 0x1 in a frame of kind void"},
		{"negative tag", eager, func(b []byte) []byte { b[4] = 0x80; return b }, "negative tag -2147483641"},
		{"any tag", eager, func(b []byte) []byte { copy(b[4:], "\xff\xff\xff\xff"); return b }, "negative tag -1"},
		{"length", eager, func(b []byte) []byte { binary.BigEndian.PutUint64(b[24:], MaxLength+4); return b }, "exceeds"},
		{"length near overflow", eager, func(b []byte) []byte { binary.BigEndian.PutUint64(b[24:], 1<<64-4); return b }, "exceeds"},
		{"end of a fragment", Envelope{Kind: Body, Offset: MaxLength, Length: 1}, nil, "length 1 at offset"},
		{"offset near overflow", Envelope{Kind: Body, Offset: 1<<64 - 1, Length: 2}, nil, "exceeds"},
		{"credit", Envelope{Kind: Credit, Length: MaxLength + 1}, nil, "exceeds"},
		{"part of an element", Envelope{Kind: Eager, Length: 9, ElemSize: 4}, nil, "length 9 is no multiple of the element size 4"},
		{"part of an element, announced", Envelope{Kind: RTS, Length: 9, ElemSize: 4}, nil, "no multiple"},
		{"elements of no size", Envelope{Kind: Eager, Length: 9}, nil, "no multiple of the element size 0"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := AppendEnvelope(nil, &c.from)
			if c.change != nil {
				b = c.change(b)
			}
			err := ParseEnvelope(new(Envelope), b)
			require.ErrorIs(t, err, ErrEnvelope)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestKinds(t *testing.T) {
	var matching, other []string
	for k := Kind(1); k < kindEnd; k++ {
		if k.Matches() {
			matching = append(matching, k.String())
		} else {
			other = append(other, fmt.Sprint(k))
		}
	}
	require.Equal(t, []string{"eager", "RTS", "void"}, matching)
	require.Equal(t, []string{
		"CTS", "body", "ack", "retract", "retracted", "credit", "bye", "alive", "gave up", "held", "demand", "none", "undeliverable",
	}, other)
}

func FuzzParseEnvelope(f *testing.F) {
	for _, e := range envelopes {
		f.Add(AppendEnvelope(nil, &e))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		var e, again Envelope
		if err := ParseEnvelope(&e, b); err != nil {
			require.ErrorIs(t, err, ErrEnvelope)
			return
		}
		if e.Tag != AnyTag || e.Kind != Demand && e.Kind != None {
			require.GreaterOrEqual(t, e.Tag, Tag(0))
		}
		require.LessOrEqual(t, e.Offset+e.Length, uint64(MaxLength))
		require.NoError(t, ParseEnvelope(&again, AppendEnvelope(nil, &e)))
		require.Equal(t, e, again)
	})
}

func BenchmarkEnvelope(b *testing.B) {
	e, buf := envelopes[0], make([]byte, 0, EnvelopeSize)
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = AppendEnvelope(buf[:0], &e)
		}
	})
	b.Run("parse", func(b *testing.B) {
		buf = AppendEnvelope(buf[:0], &e)
		b.ReportAllocs()
		for b.Loop() {
			if err := ParseEnvelope(&e, buf); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Elements may be larger than the envelope can say, such as structs of C that span much memory.
func TestElementsLargerThanTheirFieldAreOfUnknownSize(t *testing.T) {
	sent := Envelope{Kind: Eager, Length: 77448}
	var got Envelope
	require.NoError(t, ParseEnvelope(&got, AppendEnvelope(nil, &sent)))
	require.Equal(t, sent, got)
}
