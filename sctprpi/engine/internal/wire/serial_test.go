package wire

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// RFC 1982, section 3.2, with 32 bits.
func TestTSNsCompareInSerialArithmetic(t *testing.T) {
	for _, c := range []struct {
		a, b       TSN
		less, more bool
		sub        int
	}{
		{0, 0, false, false, 0},
		{0, 1, true, false, -1},
		{math.MaxUint32, 0, true, false, -1},
		{math.MaxUint32 - 1, 3, true, false, -5},
		{7, math.MaxUint32, false, true, 8},
		{0, math.MaxInt32, true, false, -math.MaxInt32},
		{0, math.MaxInt32 + 2, false, true, math.MaxInt32},
		{0x80000001, 0, true, false, -math.MaxInt32},
		// Half the space apart: neither comes first.
		{0, math.MaxInt32 + 1, false, false, math.MinInt32},
		{math.MaxInt32 + 1, 0, false, false, math.MinInt32},
	} {
		assert.Equal(t, c.less, c.a.Less(c.b), "%d < %d", c.a, c.b)
		assert.Equal(t, c.more, c.b.Less(c.a), "%d < %d", c.b, c.a)
		assert.Equal(t, c.less || c.a == c.b, c.a.LessEqual(c.b), "%d <= %d", c.a, c.b)
		assert.Equal(t, c.more || c.a == c.b, c.b.LessEqual(c.a), "%d <= %d", c.b, c.a)
		assert.Equal(t, c.sub, c.a.Sub(c.b), "%d - %d", c.a, c.b)

		assert.Equal(t, c.less, MID(c.a).Less(MID(c.b)))
		assert.Equal(t, c.less || c.a == c.b, MID(c.a).LessEqual(MID(c.b)))
		assert.Equal(t, c.sub, MID(c.a).Sub(MID(c.b)))
	}
}

// RFC 1982, section 3.2, with 16 bits: all pairs with a number near the ends.
func TestSSNsCompareInSerialArithmetic(t *testing.T) {
	for _, a := range []SSN{0, 1, math.MaxInt16, math.MaxInt16 + 1, math.MaxUint16} {
		for distance := range 1 << 16 {
			b := a + SSN(distance)
			assert.Equal(t, 0 < distance && distance < 1<<15, a.Less(b))
			assert.Equal(t, distance > 1<<15, b.Less(a))
			assert.Equal(t, distance < 1<<15, a.LessEqual(b))
			assert.Equal(t, int(int16(distance)), b.Sub(a))
		}
	}
}
