package wire

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func streamOffsetsCodec(encode func([]byte, StreamOffsets) []byte, bytes string) codec[StreamOffsets] {
	return codec[StreamOffsets]{
		parse: ParseStreamOffsets, append: encode, bytes: bytes,
		value: StreamOffsets{}.Append(StreamOffset{1, 2}).Append(StreamOffset{0xfffe, 0xfffffffd}),
		valid: func(n int) bool { return n >= 12 && n%8 == 4 },
		random: func(r *rand.Rand) StreamOffsets {
			var l StreamOffsets
			for range 1 + r.IntN(20) {
				l = l.Append(StreamOffset{socket.StreamID(r.Uint32()), r.Uint32()})
			}
			return l
		},
	}
}

var (
	streamCreditCodec = streamOffsetsCodec(AppendStreamCredit,
		"b0 00 0014 0001 0000 00000002 fffe 0000 fffffffd")
	streamBlockedCodec = streamOffsetsCodec(AppendStreamBlocked,
		"b1 00 0014 0001 0000 00000002 fffe 0000 fffffffd")
)

func TestStreamCredit(t *testing.T)  { streamCreditCodec.test(t) }
func FuzzStreamCredit(f *testing.F)  { streamCreditCodec.fuzz(f) }
func TestStreamBlocked(t *testing.T) { streamBlockedCodec.test(t) }
func FuzzStreamBlocked(f *testing.F) { streamBlockedCodec.fuzz(f) }

func TestStreamOffsetsAreWalkedInOrder(t *testing.T) {
	l := streamCreditCodec.value
	assert.Equal(t, []StreamOffset{{1, 2}, {0xfffe, 0xfffffffd}}, slices.Collect(l.All()))
	for o := range l.All() {
		assert.Equal(t, StreamOffset{1, 2}, o)
		break
	}
}

func TestStreamOffsetsRoomIsWhatFits(t *testing.T) {
	for room := range 200 {
		n := StreamOffsetsRoom(room)
		assert.True(t, n <= 0 || itemHeaderSize+n*streamOffsetSize <= room, "%d streams in %d bytes", n, room)
		assert.Greater(t, itemHeaderSize+(n+1)*streamOffsetSize, room)
	}
}

func TestATinyChunkIsChargedForItsKeeping(t *testing.T) {
	assert.EqualValues(t, MinStreamCharge, StreamCharge(1))
	assert.EqualValues(t, MinStreamCharge, StreamCharge(MinStreamCharge))
	assert.EqualValues(t, MinStreamCharge+1, StreamCharge(MinStreamCharge+1))
}

// Receivers that do not know them must pass over both, and say nothing.
func TestTheExtensionIsSkippedInSilence(t *testing.T) {
	assert.Equal(t, SkipSilently, TypeStreamCredit.UnknownAction())
	assert.Equal(t, SkipSilently, TypeStreamBlocked.UnknownAction())
	assert.Equal(t, SkipSilently, ParamStreamLimit.UnknownAction())
}

func TestStreamLimit(t *testing.T) {
	for digits, limit := range map[string]StreamLimit{
		"b0b0 0008 00000000": {},
		"b0b0 0008 00010203": {Bytes: 0x10203},
		"b0b0 0008 80010203": {Bytes: 0x10203, Whole: true},
		"b0b0 0008 c0000000": {Bytes: MaxStreamLimit, Whole: true},
	} {
		assert.Equal(t, Params(unhex(t, digits)), Params{}.AppendStreamLimit(limit))
		got, err := paramOf(t, digits).StreamLimit()
		assert.NoError(t, err)
		assert.Equal(t, limit, got)
	}
	assert.Equal(t, Params{}.AppendStreamLimit(StreamLimit{Bytes: MaxStreamLimit}),
		Params{}.AppendStreamLimit(StreamLimit{Bytes: MaxStreamLimit + 1}))
	got, err := paramOf(t, "b0b0 0008 7fffffff").StreamLimit()
	assert.NoError(t, err)
	assert.Equal(t, StreamLimit{Bytes: MaxStreamLimit}, got)
	for _, digits := range []string{"b0b0 0004", "b0b0 0007 000000", "b0b0 000c 00000000 00000000"} {
		_, err := paramOf(t, digits).StreamLimit()
		assert.ErrorIs(t, err, errStreamLimit, digits)
	}
}

func TestStreamPool(t *testing.T) {
	for digits, limit := range map[string]StreamLimit{
		"b0b0 0010 00000000 00000100 00008000": {Base: 256, Pool: 32 << 10},
		"b0b0 0010 80010000 00000800 00400000": {Bytes: 64 << 10, Whole: true, Base: 2048, Pool: 4 << 20},
		"b0b0 0010 00000000 00000100 3fffff00": {Base: 256, Pool: MaxStreamLimit - 256},
	} {
		assert.Equal(t, Params(unhex(t, digits)), Params{}.AppendStreamLimit(limit))
		got, err := paramOf(t, digits).StreamLimit()
		assert.NoError(t, err)
		assert.Equal(t, limit, got)
	}
	for what, digits := range map[string]string{
		"no pool":            "b0b0 0010 00000000 00000000 00000000",
		"a base alone":       "b0b0 0010 00000000 00000100 00000000",
		"a tiny pool":        "b0b0 0010 00000000 00000100 00007fff",
		"a tiny base":        "b0b0 0010 00000000 000000ff 00008000",
		"more than can be":   "b0b0 0010 00000000 00000100 3fffff01",
		"a huge base":        "b0b0 0010 00000000 ffffffff 00008000",
		"a huge pool":        "b0b0 0010 00000000 00000100 ffffffff",
		"a base past limits": "b0b0 0010 00000100 00000101 00008000",
	} {
		_, err := paramOf(t, digits).StreamLimit()
		assert.ErrorIs(t, err, errStreamPool, what)
	}
	_, err := paramOf(t, "b0b0 0014 00000000 00000100 00008000 00000000").StreamLimit()
	assert.ErrorIs(t, err, errStreamLimit)
}

// What is read of a parameter, whatever it says, is written as it was.
func FuzzStreamLimit(f *testing.F) {
	f.Add(uint32(0), uint32(256), uint32(32<<10))
	f.Add(uint32(1<<31|1000), uint32(256), uint32(1<<30))
	f.Fuzz(func(t *testing.T, limit, base, pool uint32) {
		var v []byte
		for _, n := range []uint32{limit, base, pool} {
			v = binary.BigEndian.AppendUint32(v, n)
		}
		for _, value := range [][]byte{v[:4], v} {
			for p := range (Params{}).append(ParamStreamLimit, value).All() {
				l, err := p.StreamLimit()
				if err != nil {
					continue
				}
				assert.True(t, l.ValidPool())
				for q := range (Params{}).AppendStreamLimit(l).All() {
					again, err := q.StreamLimit()
					assert.NoError(t, err)
					assert.Equal(t, l, again)
				}
			}
		}
	})
}
