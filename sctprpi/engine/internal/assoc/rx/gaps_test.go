package rx

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// naive remembers every TSN that has arrived.
type naive struct {
	cumulative wire.TSN
	seen       map[wire.TSN]bool
}

func (n *naive) insert(tsn wire.TSN) {
	n.seen[tsn] = true
	n.settle()
}

func (n *naive) forward(tsn wire.TSN) {
	for ; n.cumulative != tsn; n.cumulative++ {
		delete(n.seen, n.cumulative+1)
	}
	n.settle()
}

func (n *naive) settle() {
	for n.seen[n.cumulative+1] {
		n.cumulative++
		delete(n.seen, n.cumulative)
	}
}

func (n *naive) blocks() (blocks wire.GapBlocks) {
	last := 0
	for i := 1; last < len(n.seen) || i == 1; i++ {
		if !n.seen[n.cumulative+wire.TSN(i)] {
			if i > maxAhead {
				break
			}
			continue
		}
		start := i
		for n.seen[n.cumulative+wire.TSN(i)] {
			i++
			last++
		}
		blocks = blocks.Append(wire.GapBlock{Start: uint16(start), End: uint16(i - 1)})
	}
	return blocks
}

// Whatever comes in whatever order, across the wrap of TSNs, the SACK says what a
// set of TSNs says.
func TestReceivedTSNsAgainstAModel(t *testing.T) {
	eachSeed(t, 30, func(t *testing.T, r *rand.Rand) {
		initial := wire.TSN(-r.IntN(1000))
		tracker, err := NewTracker(initial, AckPolicy{})
		require.NoError(t, err)
		model := naive{initial - 1, map[wire.TSN]bool{}}
		reach := 1 + r.IntN(200)
		for range 3000 {
			tsn := model.cumulative + wire.TSN(r.IntN(reach)) - wire.TSN(r.IntN(5))
			switch r.IntN(50) {
			case 0:
				moved, err := tracker.Forward(tsn)
				require.NoError(t, err)
				require.Equal(t, model.cumulative.Less(tsn), moved)
				if moved {
					model.forward(tsn)
				}
			default:
				dup := tsn.LessEqual(model.cumulative) || model.seen[tsn]
				v := tracker.Arrive(tsn)
				require.Equal(t, dup, v == Duplicate)
				if v == Fresh {
					tracker.Accept(tsn, 0)
					model.insert(tsn)
				}
			}
			s := tracker.SACK(wire.SACKRoom(1<<16)*4, 0)
			require.Equal(t, model.cumulative, s.CumulativeTSN)
			require.Equal(t, string(model.blocks()), string(s.GapBlocks))
		}
	})
}
