package trc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Of two slots, operations take the one that their tags name, or a channel of their own while another has it.
func TestSlots(t *testing.T) {
	const last = matching.Tag(1<<31 - 1)
	type step struct {
		tag, open matching.Tag
		slot      bool
	}
	for _, steps := range [][]step{{
		{tag: 0, slot: true},
		{tag: 1, open: 1, slot: true},
		{tag: 2, open: 2},
		{tag: 3, open: 1, slot: true}, // 1 has ended
		{tag: 2, open: 0},             // 0 has ended, but 2 has begun apart
		{tag: 4, open: 0, slot: true},
		{tag: 3, slot: true}, // goes on
		{tag: 6, open: 2},
		{tag: 8, open: 3},
		{tag: 4, slot: true},           // goes on
		{tag: 10, open: 1, slot: true}, // 4, 6 and 8 have ended
	}, { // they wrap around
		{tag: last - 1, slot: true},
		{tag: 0, open: 2},
		{tag: 2, open: 1, slot: true},
	}} {
		var p Peer
		for i, s := range steps {
			r := &rpi.Request{Context: rpi.InOrder, Tag: s.tag, OpenTags: s.open}
			require.Equal(t, s.slot, p.enter(r, 2), "step %d: tag %d", i, s.tag)
		}
	}
}
