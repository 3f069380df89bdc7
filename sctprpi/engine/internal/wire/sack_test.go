package wire

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var sackCodec = codec[SACK]{
	parse:  ParseSACK,
	append: func(b []byte, s SACK) []byte { return AppendSACK(b, &s) },
	// The blocks and window are those of the example in RFC 9260, section 3.3.4.
	bytes: "03 00 0020 0000000c 00001234 0002 0002 0002 0003 0005 0005 00000007 fffffff0",
	value: SACK{
		CumulativeTSN: 12, Window: 4660,
		GapBlocks:  GapBlocks{}.Append(GapBlock{2, 3}).Append(GapBlock{5, 5}),
		Duplicates: NumbersOf[TSN](7, 0xfffffff0),
	},
	random: func(r *rand.Rand) SACK {
		s := SACK{
			CumulativeTSN: TSN(r.Uint32()), Window: r.Uint32(),
			GapBlocks: GapBlocks{}, Duplicates: Numbers[TSN]{},
		}
		for range r.IntN(20) {
			a, b := uint16(1+r.IntN(1<<16-1)), uint16(1+r.IntN(1<<16-1))
			s.GapBlocks = s.GapBlocks.Append(GapBlock{min(a, b), max(a, b)})
		}
		for range r.IntN(20) {
			s.Duplicates = s.Duplicates.Append(TSN(r.Uint32()))
		}
		return s
	},
}

func TestSACK(t *testing.T) { sackCodec.test(t) }
func FuzzSACK(f *testing.F) { sackCodec.fuzz(f) }

func TestSACKListsAreWalkedInOrder(t *testing.T) {
	s := sackCodec.value
	assert.Equal(t, 2, s.GapBlocks.Len())
	assert.Equal(t, []GapBlock{{2, 3}, {5, 5}}, slices.Collect(s.GapBlocks.All()))
	assert.Equal(t, 2, s.Duplicates.Len())
	assert.Equal(t, []TSN{7, 0xfffffff0}, slices.Collect(s.Duplicates.All()))
	for g := range s.GapBlocks.All() {
		assert.Equal(t, GapBlock{2, 3}, g)
		break
	}
}

// A block that ends before it starts, or holds the cumulative TSN itself,
// acknowledges nothing that makes sense.
func TestInvertedGapBlockIsRefused(t *testing.T) {
	for _, g := range []GapBlock{{3, 2}, {0, 0}, {0, 5}, {0xffff, 1}} {
		s := SACK{GapBlocks: GapBlocks{}.Append(GapBlock{2, 2}).Append(g)}
		c, err := ParseChunk(AppendSACK(nil, &s))
		require.NoError(t, err)
		_, err = ParseSACK(c)
		assert.ErrorIs(t, err, errGapBlock, "%v", g)
	}
}

// The counts must match the length; in particular, they must not make up for
// each other.
func TestSACKCountsMustMatchItsLength(t *testing.T) {
	for _, value := range []string{
		"00000001 00000000 0001 0000",
		"00000001 00000000 0000 0001",
		"00000001 00000000 0000 0000 00000001",
		"00000001 00000000 ffff ffff 00000001",
		"00000001 00000000 0002 0000 0002 0002",
	} {
		_, err := ParseSACK(chunkOf(t, TypeSACK, unhex(t, value)))
		assert.ErrorIs(t, err, errSACKLength, value)
	}
}

func TestSACKRoomIsWhatFits(t *testing.T) {
	for room := range 70000 {
		n := SACKRoom(room)
		if room < sackHeaderSize {
			require.Negative(t, n)
			continue
		}
		require.LessOrEqual(t, sackHeaderSize+4*n, min(room, 65535))
		require.Greater(t, sackHeaderSize+4*(n+1), min(room, 65535))
	}
	full := make([]byte, 4*SACKRoom(1<<20))
	assert.NotEmpty(t, AppendSACK(nil, &SACK{GapBlocks: full}), "the largest SACK can be encoded")
}
