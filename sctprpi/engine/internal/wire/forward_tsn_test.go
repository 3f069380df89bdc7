package wire

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var forwardTSNCodec = codec[ForwardTSN]{
	parse:  ParseForwardTSN,
	append: func(b []byte, f ForwardTSN) []byte { return AppendForwardTSN(b, &f) },
	bytes:  "c0 00 0010 01020304 0001 0002 fffe fffd",
	value: ForwardTSN{
		CumulativeTSN: 0x01020304,
		Skipped:       SkippedSSNs{}.Append(SkippedSSN{1, 2}).Append(SkippedSSN{0xfffe, 0xfffd}),
	},
	valid: func(n int) bool { return n >= 8 && n%4 == 0 },
	random: func(r *rand.Rand) ForwardTSN {
		f := ForwardTSN{CumulativeTSN: randomTSN(r), Skipped: SkippedSSNs{}}
		for range r.IntN(20) {
			f.Skipped = f.Skipped.Append(SkippedSSN{socket.StreamID(r.Uint32()), SSN(r.Uint32())})
		}
		return f
	},
}

var iforwardTSNCodec = codec[IForwardTSN]{
	parse:  ParseIForwardTSN,
	append: func(b []byte, f IForwardTSN) []byte { return AppendIForwardTSN(b, &f) },
	bytes:  "c2 00 0018 01020304 0001 0000 00000002 fffe 0001 fffffffd",
	value: IForwardTSN{
		CumulativeTSN: 0x01020304,
		Skipped: SkippedMIDs{}.Append(SkippedMID{Stream: 1, MID: 2}).
			Append(SkippedMID{Stream: 0xfffe, Unordered: true, MID: 0xfffffffd}),
	},
	valid: func(n int) bool { return n >= 8 && n%8 == 0 },
	random: func(r *rand.Rand) IForwardTSN {
		f := IForwardTSN{CumulativeTSN: randomTSN(r), Skipped: SkippedMIDs{}}
		for range r.IntN(20) {
			f.Skipped = f.Skipped.Append(SkippedMID{socket.StreamID(r.Uint32()), r.IntN(2) == 0, MID(r.Uint32())})
		}
		return f
	},
}

func TestForwardTSN(t *testing.T)  { forwardTSNCodec.test(t) }
func FuzzForwardTSN(f *testing.F)  { forwardTSNCodec.fuzz(f) }
func TestIForwardTSN(t *testing.T) { iforwardTSNCodec.test(t) }
func FuzzIForwardTSN(f *testing.F) { iforwardTSNCodec.fuzz(f) }

func TestSkippedMessagesAreWalkedInOrder(t *testing.T) {
	assert.Equal(t, []SkippedSSN{{1, 2}, {0xfffe, 0xfffd}},
		slices.Collect(forwardTSNCodec.value.Skipped.All()))
	assert.Equal(t, []SkippedMID{{1, false, 2}, {0xfffe, true, 0xfffffffd}},
		slices.Collect(iforwardTSNCodec.value.Skipped.All()))
	for s := range forwardTSNCodec.value.Skipped.All() {
		assert.Equal(t, SkippedSSN{1, 2}, s)
		break
	}
	for s := range iforwardTSNCodec.value.Skipped.All() {
		assert.Equal(t, SkippedMID{1, false, 2}, s)
		break
	}
}

// RFC 8260, section 2.3.1: the reserved bits are ignored.
func TestReservedBitsOfASkippedMessageAreIgnored(t *testing.T) {
	f, err := ParseIForwardTSN(chunkOf(t, TypeIForwardTSN, unhex(t, "00000001 0002 fffe 00000003")))
	assert.NoError(t, err)
	assert.Equal(t, []SkippedMID{{2, false, 3}}, slices.Collect(f.Skipped.All()))
}
