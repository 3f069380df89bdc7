package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RFC 4820, section 3.
func TestPadTakesUpTheSizeAskedFor(t *testing.T) {
	assert.Equal(t, unhex(t, "84 00 0008 00000000"), AppendPad(nil, 8))
	assert.Equal(t, unhex(t, "84 00 0008 00000000"), AppendPad([]byte{1, 2, 3, 4, 5, 6, 7, 8}[:0], 8), "in a used buffer")
	for size := 4; size <= 2000; size += 4 {
		b := AppendPad([]byte{0xff}, size)
		require.Len(t, b, 1+size)
		c, err := ParseChunk(b[1:])
		require.NoError(t, err)
		require.Len(t, c.Bytes(), size)
	}
	for _, size := range []int{-4, 0, 3, 5, 6, 7} {
		assert.Empty(t, AppendPad(nil, size), "size %d", size)
	}
}

// A receiver that does not know PAD chunks skips them just the same.
func TestPadIsSkippedWhereUnknown(t *testing.T) {
	assert.Equal(t, SkipSilently, TypePad.UnknownAction())
	assert.Equal(t, SkipSilently, ParamPadding.UnknownAction())
}
