package trc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Of two slots, operations take the first that is free, or a channel of their own while others have them.
func TestSlots(t *testing.T) {
	const last = matching.Tag(1<<31 - 1)
	type step struct {
		tag, open matching.Tag
		slot      int // -1: a channel of its own
	}
	for _, steps := range [][]step{{
		{tag: 0}, {tag: 1}, {tag: 2}, // one after the other
		{tag: 3, open: 1, slot: 1},
		{tag: 2, open: 0}, // goes on
		{tag: 4, open: 2, slot: -1},
		{tag: 5, open: 2},           // 2 has ended
		{tag: 4, open: 1, slot: -1}, // 3 has ended, but 4 has begun apart
		{tag: 3, open: 0, slot: 1},  // goes on
		{tag: 6, open: 2, slot: 1},  // 3 has ended
		{tag: 9, open: 5, slot: -1}, // 5 and 6 have not
		{tag: 8, open: 4, slot: -1}, // it may have begun apart
		{tag: 5},                    // goes on
		{tag: 10, open: 1},          // 5 has ended
		{tag: 11, open: 2, slot: 1}, // and 6, but 9 may go on
		{tag: 9, open: 0, slot: -1}, // it does
		{tag: 12, open: 0},          // all have ended
	}, { // they wrap around
		{tag: last - 1},
		{tag: 0, open: 2, slot: 1},
		{tag: 1, open: 3, slot: -1},
		{tag: 2, open: 2},
		{tag: 3, open: 0},
	}} {
		var p Peer
		for i, s := range steps {
			r := &rpi.Request{Context: rpi.InOrder, Tag: s.tag, OpenTags: s.open}
			slot, ok := p.enter(r, 2)
			if !ok {
				require.Equal(t, s.slot, -1, "step %d: tag %d", i, s.tag)
				continue
			}
			require.EqualValues(t, s.slot, slot, "step %d: tag %d", i, s.tag)
		}
	}
}
