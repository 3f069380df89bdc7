package wire

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var abortCodec = codec[Causes]{
	parse:  ParseAbort,
	append: func(b []byte, causes Causes) []byte { return AppendAbort(b, false, causes) },
	bytes:  "06 00 0012 000c 0007 627965 00 0001 0006 0005 0000",
	value:  Causes{0, 12, 0, 7, 'b', 'y', 'e', 0, 0, 1, 0, 6, 0, 5},
	// No cause, the first, the first with its padding, all with their padding.
	valid:  func(n int) bool { return n == 4 || n == 11 || n == 12 || n == 19 || n == 20 },
	random: randomCauses,
}

var errorCodec = codec[Causes]{
	parse:  ParseError,
	append: AppendError,
	bytes:  "09 00 0012 000c 0007 627965 00 0001 0006 0005 0000",
	value:  abortCodec.value,
	valid:  func(n int) bool { return n > 4 && abortCodec.valid(n) },
	random: func(r *rand.Rand) Causes { return randomCauses(r).AppendOutOfResource() },
}

func TestAbort(t *testing.T) { abortCodec.test(t) }
func FuzzAbort(f *testing.F) { abortCodec.fuzz(f) }
func TestError(t *testing.T) { errorCodec.test(t) }
func FuzzError(f *testing.F) { errorCodec.fuzz(f) }

// RFC 9260, section 3.3.10: one or more causes.
func TestErrorWithoutCauseIsMalformed(t *testing.T) {
	_, err := ParseError(chunkOf(t, TypeError, nil))
	assert.ErrorIs(t, err, errNoCause)
}

// RFC 9260, sections 3.3.7 and 3.3.13.
func TestTBitSaysThatTheTagIsReflected(t *testing.T) {
	for _, tBit := range []bool{false, true} {
		abort, err := ParseChunk(AppendAbort(nil, tBit, nil))
		require.NoError(t, err)
		assert.Equal(t, tBit, abort.Reflected())
		complete, err := ParseChunk(AppendShutdownComplete(nil, tBit))
		require.NoError(t, err)
		assert.Equal(t, tBit, complete.Reflected())
	}
	assert.Equal(t, unhex(t, "06 01 0004"), AppendAbort(nil, true, nil))
	assert.Equal(t, unhex(t, "0e 01 0004"), AppendShutdownComplete(nil, true))
}
