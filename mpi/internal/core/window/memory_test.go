package window

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Memory is reached from a displacement in both directions, and never beyond its ends.
func TestMemoryAroundADisplacement(t *testing.T) {
	m := memory{base: make([]byte, 100), unit: 4}
	for _, x := range []struct {
		disp, offset int64
		n            uint64
		first        int // -1: not within the memory
	}{
		{0, 0, 100, 0},
		{5, -20, 100, 0},
		{5, -20, 101, -1},
		{5, -21, 1, -1},
		{25, -1, 1, 99},
		{26, -5, 1, 99},
		{26, -5, 2, -1},
		{0, -1, 1, -1},
		{0, math.MinInt64, 1, -1},
		{math.MaxInt64, math.MinInt64, 1, -1},
		{1 << 61, math.MinInt64, 1, 0},
		{-1, 4, 1, -1},
		{1, math.MaxInt64, math.MaxUint64, -1},
	} {
		piece, f := m.at(x.disp, x.offset, x.n)
		if x.first < 0 {
			require.NotNil(t, f, x)
			continue
		}
		require.Nil(t, f, x)
		require.Len(t, piece, int(x.n))
		require.Same(t, &m.base[x.first], &piece[0])
	}
	_, f := m.at(5, -21, 8)
	require.Equal(t, "8 bytes from displacement 5 less 21 bytes on are not within the window there, which has 25 units of 4 bytes", f.text)

	d := memory{unit: 1, dynamic: true, regions: [][]byte{m.base}}
	piece, f := d.at(int64(address(m.base))+50, -50, 10)
	require.Nil(t, f)
	require.Same(t, &m.base[0], &piece[0])
	_, f = d.at(int64(address(m.base))+50, -51, 10)
	require.NotNil(t, f)
}
