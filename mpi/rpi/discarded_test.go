package rpi

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
)

func TestDiscardedTagsWrapAround(t *testing.T) {
	var d Discarded
	require.False(t, d.Has(1, 0))
	d.Add(1, 5)
	d.Add(1, 3)
	for tag, want := range map[int32]bool{0: true, 5: true, 6: false, 1000: false, math.MaxInt32: true} {
		require.Equal(t, want, d.Has(1, matching.Tag(tag)), "tag %d", tag)
	}
	require.False(t, d.Has(3, 0), "of another context")
	d.Add(1, math.MaxInt32)
	require.True(t, d.Has(1, 5), "one that is behind changes nothing")
	d = nil
	d.Add(1, math.MaxInt32-1)
	d.Add(1, 0)
	require.True(t, d.Has(1, math.MaxInt32))
	require.True(t, d.Has(1, 0))
	require.False(t, d.Has(1, 1))
}
