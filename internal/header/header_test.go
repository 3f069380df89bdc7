package header

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
)

// headers has one of each kind, with every field that means something.
var headers = []Header{
	{Kind: Eager, Sync: true, Tag: 1<<31 - 1, Context: 1<<64 - 1, Seq: 1<<64 - 1, Length: 24, ElemSize: 8, Type: 1<<32 - 1, SendID: 1<<32 - 1},
	{Kind: Eager, Tag: 7, Context: 3, Seq: 9},
	{Kind: RTS, Tag: 7, Context: 3, Seq: 9, Length: matching.MaxLength, ElemSize: 1 << 15, Type: 5, SendID: 11},
	{Kind: Eager, Tag: 7, Context: 3, Seq: 9, Sync: true, SendID: 11, Slot: MaxSlots - 1},
	{Kind: Void, Tag: 7, Context: 3, Seq: 9},
	{Kind: CTS, SendID: 11, RecvID: 12},
	{Kind: Body, RecvID: 12, Offset: matching.MaxLength - 1, Length: 1},
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
	{Kind: Demand, Tag: matching.AnyTag, Context: 3},
	{Kind: None, Tag: matching.AnyTag, Context: 3, Length: 4},
	{Kind: Demand, Tag: matching.AnyTag, Context: AnyContext},
	{Kind: Undeliverable, SendID: 11},
}

func TestHeaderRoundTrip(t *testing.T) {
	kinds := make(map[Kind]bool)
	for _, h := range headers {
		kinds[h.Kind] = true
		b := Append([]byte("before"), &h)
		require.Len(t, b, len("before")+Size)
		var got Header
		require.NoError(t, Parse(&got, append(b[len("before"):], "behind"...)), h.Kind)
		require.Equal(t, h, got)
	}
	require.Len(t, kinds, int(kindEnd)-1, "every kind")
}

func TestHeaderOnTheWire(t *testing.T) {
	b := Append(nil, &Header{
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

func TestParseKeepsNothingOfTheOldValue(t *testing.T) {
	h := headers[0]
	require.NoError(t, Parse(&h, Append(nil, &Header{Kind: Bye})))
	require.Equal(t, Header{Kind: Bye}, h)
}

func TestParseRefusesWhatNoSenderProduces(t *testing.T) {
	eager := Header{Kind: Eager, Tag: 7, Length: 8, ElemSize: 4}
	cases := []struct {
		name   string
		from   Header
		change func(b []byte) []byte
		says   string
	}{
		{"empty", eager, func(b []byte) []byte { return nil }, "0 bytes, want 40"},
		{"short", eager, func(b []byte) []byte { return b[:Size-1] }, "39 bytes, want 40"},
		{"kind 0", eager, func(b []byte) []byte { b[0] = 0; return b }, "unknown kind(0)"},
		{"kind beyond the last", eager, func(b []byte) []byte { b[0] = byte(kindEnd); return b }, "unknown kind(17)"},
		{"a slot of an announcement", Header{Kind: RTS}, func(b []byte) []byte { b[1] = 16; return b }, "flags 0x10 in a frame of kind RTS"},
		{"a ration of what has none", Header{Kind: Void}, func(b []byte) []byte { b[1] = flagRationed; return b }, "flags 0x8 in a frame of kind void"},
		{"a ration of a demanded message", Header{Kind: RTS, Answer: ToTag}, func(b []byte) []byte { b[1] |= flagRationed; return b }, "flags 0xa in a frame of kind RTS"},
		{"an eager answer", eager, func(b []byte) []byte { b[1] = 2; return b }, "flags 0x2 in a frame of kind eager"},
		{"another wildcard", Header{Kind: Demand}, func(b []byte) []byte { copy(b[4:], "\xff\xff\xff\xfe"); return b }, "negative tag -2"},
		{"a wildcard that is held", Header{Kind: Held}, func(b []byte) []byte { copy(b[4:], "\xff\xff\xff\xff"); return b }, "negative tag -1"},
		{"sync RTS", Header{Kind: RTS}, func(b []byte) []byte { b[1] = flagSync; return b }, "flags 0x1 in a frame of kind RTS"},
		{"sync void", Header{Kind: Void}, func(b []byte) []byte { b[1] = flagSync; return b }, "flags 0x1 in a frame of kind void"},
		{"negative tag", eager, func(b []byte) []byte { b[4] = 0x80; return b }, "negative tag -2147483641"},
		{"any tag", eager, func(b []byte) []byte { copy(b[4:], "\xff\xff\xff\xff"); return b }, "negative tag -1"},
		{"length", eager, func(b []byte) []byte { binary.BigEndian.PutUint64(b[24:], matching.MaxLength+4); return b }, "exceeds"},
		{"length near overflow", eager, func(b []byte) []byte { binary.BigEndian.PutUint64(b[24:], 1<<64-4); return b }, "exceeds"},
		{"end of a fragment", Header{Kind: Body, Offset: matching.MaxLength, Length: 1}, nil, "length 1 at offset"},
		{"offset near overflow", Header{Kind: Body, Offset: 1<<64 - 1, Length: 2}, nil, "exceeds"},
		{"credit", Header{Kind: Credit, Length: matching.MaxLength + 1}, nil, "exceeds"},
		{"part of an element", Header{Kind: Eager, Length: 9, ElemSize: 4}, nil, "length 9 is no multiple of the element size 4"},
		{"part of an element, announced", Header{Kind: RTS, Length: 9, ElemSize: 4}, nil, "no multiple"},
		{"elements of no size", Header{Kind: Eager, Length: 9}, nil, "no multiple of the element size 0"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := Append(nil, &c.from)
			if c.change != nil {
				b = c.change(b)
			}
			err := Parse(new(Header), b)
			require.ErrorIs(t, err, ErrMalformed)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestTheEnvelopeIsWhatIsMatched(t *testing.T) {
	h := Header{Kind: RTS, Tag: 7, Context: 3, Seq: 9, Length: 24, ElemSize: 8, Type: 5, SendID: 11, Answer: ToTag, Rationed: true}
	require.Equal(t, matching.Envelope{Tag: 7, Context: 3, Seq: 9, Length: 24, ElemSize: 8, Type: 5}, h.Envelope())
}

func TestKinds(t *testing.T) {
	var matched, other []string
	for k := Kind(1); k < kindEnd; k++ {
		if k.Matches() {
			matched = append(matched, k.String())
		} else {
			other = append(other, fmt.Sprint(k))
		}
	}
	require.Equal(t, []string{"eager", "RTS", "void"}, matched)
	require.Equal(t, []string{
		"CTS", "body", "ack", "retract", "retracted", "credit", "bye", "alive", "gave up", "held", "demand", "none", "undeliverable",
	}, other)
}

func FuzzParse(f *testing.F) {
	for _, h := range headers {
		f.Add(Append(nil, &h))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		var h, again Header
		if err := Parse(&h, b); err != nil {
			require.ErrorIs(t, err, ErrMalformed)
			return
		}
		if h.Tag != matching.AnyTag || h.Kind != Demand && h.Kind != None {
			require.GreaterOrEqual(t, h.Tag, matching.Tag(0))
		}
		require.LessOrEqual(t, h.Offset+h.Length, uint64(matching.MaxLength))
		require.NoError(t, Parse(&again, Append(nil, &h)))
		require.Equal(t, h, again)
	})
}

func BenchmarkHeader(b *testing.B) {
	h, buf := headers[0], make([]byte, 0, Size)
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = Append(buf[:0], &h)
		}
	})
	b.Run("parse", func(b *testing.B) {
		buf = Append(buf[:0], &h)
		b.ReportAllocs()
		for b.Loop() {
			if err := Parse(&h, buf); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Elements may be larger than the header can say, such as structs of C that span much memory.
func TestElementsLargerThanTheirFieldAreOfUnknownSize(t *testing.T) {
	sent := Header{Kind: Eager, Length: 77448}
	var got Header
	require.NoError(t, Parse(&got, Append(nil, &sent)))
	require.Equal(t, sent, got)
}
