package matching

import (
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

// examples are envelopes of every kind.
var examples = []Envelope{
	{Kind: Eager, Tag: 7, Context: 2, Seq: 9, Length: 16, Type: 14, ElemSize: 8},
	{Kind: Eager, Sync: true, Tag: 1<<31 - 1, Context: 1<<63 + 1, Seq: 1<<64 - 1, Length: 3, Type: 1 << 31, ElemSize: 3, SendID: 5},
	{Kind: Request, Length: MaxLength, ElemSize: 1, SendID: 1<<32 - 1},
	{Kind: Void, Tag: 3, Context: 4, Seq: 5},
	{Kind: Clear, SendID: 1, RecvID: 2},
	{Kind: Body, RecvID: 2, Offset: 1 << 40, Length: 65536},
	{Kind: Ack, SendID: 3},
	{Kind: Retract, SendID: 3, Tag: 1, Context: 2, Seq: 3},
	{Kind: Retracted, SendID: 3},
	{Kind: Credit, Length: 4096},
	{Kind: Bye},
}

func TestEnvelopeOnTheWire(t *testing.T) {
	e := Envelope{Kind: Request, Tag: 0x01020304, Context: 0x1112131415161718, Seq: 0x2122232425262728,
		Length: 0x30, ElemSize: 8, Type: 0x41424344, SendID: 0x51525354}
	require.Equal(t, "0200"+"0008"+"01020304"+"1112131415161718"+"2122232425262728"+"0000000000000030"+"41424344"+"51525354",
		hex.EncodeToString(AppendEnvelope(nil, &e)))
}

func TestEnvelopeRoundTrip(t *testing.T) {
	for _, e := range examples {
		b := AppendEnvelope([]byte("before"), &e)
		require.Len(t, b, len("before")+EnvelopeSize)
		var back Envelope
		require.NoError(t, ParseEnvelope(&back, append(b, "behind"...)[len("before"):]))
		require.Equal(t, e, back, "%v", e.Kind)
	}
}

func TestMalformedEnvelopesAreRefused(t *testing.T) {
	good := AppendEnvelope(nil, &examples[0])
	for n := range good {
		require.ErrorIs(t, ParseEnvelope(new(Envelope), good[:n]), ErrEnvelope, "%d bytes", n)
	}
	for name, spoil := range map[string]func(b []byte){
		"kind zero":             func(b []byte) { b[0] = 0 },
		"unknown kind":          func(b []byte) { b[0] = byte(kindEnd) },
		"unknown flag":          func(b []byte) { b[1] = 2 },
		"sync request":          func(b []byte) { b[0], b[1] = byte(Request), 1 },
		"negative tag":          func(b []byte) { b[4] = 0x80 },
		"length too great":      func(b []byte) { binary.BigEndian.PutUint64(b[24:], MaxLength+8) },
		"elements without size": func(b []byte) { b[2], b[3] = 0, 0 },
		"part of an element":    func(b []byte) { b[31]++ },
		"offset wraps": func(b []byte) {
			b[0] = byte(Body)
			binary.BigEndian.PutUint64(b[16:], 1<<64-8)
		},
	} {
		b := append([]byte(nil), good...)
		spoil(b)
		require.ErrorIs(t, ParseEnvelope(new(Envelope), b), ErrEnvelope, name)
	}
}

func TestKindsHaveNames(t *testing.T) {
	for k := Kind(1); k < kindEnd; k++ {
		require.NotContains(t, k.String(), "kind(")
	}
	require.Equal(t, "kind(99)", Kind(99).String())
}

func FuzzParseEnvelope(f *testing.F) {
	for _, e := range examples {
		f.Add(AppendEnvelope(nil, &e))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var e, again Envelope
		if ParseEnvelope(&e, b) != nil {
			return
		}
		if err := ParseEnvelope(&again, AppendEnvelope(nil, &e)); err != nil || again != e {
			t.Fatalf("%+v becomes %+v: %v", e, again, err)
		}
	})
}
