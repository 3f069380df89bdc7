package rx

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Whatever arrives, mostly in order, it is checked as if all that has arrived before were kept.
func TestNeighboursAgainstAModel(t *testing.T) {
	eachSeed(t, 60, func(t *testing.T, random *rand.Rand) {
		tracker, err := NewTracker(rigTSN, AckPolicy{})
		require.NoError(t, err)
		a := newAdjacency(rigTSN, random.IntN(2) == 0)
		arrived := map[wire.TSN]*wire.Data{}
		// follows reports whether the chunk of a TSN may follow the one before, if both have arrived.
		follows := func(tsn wire.TSN) bool {
			d, next := arrived[tsn-1], arrived[tsn]
			switch {
			case d == nil || next == nil:
				return true
			case next.Flags&B != 0:
				return d.Flags&E != 0 || a.lenient
			}
			unordered := d.Flags & U
			return d.Flags&E == 0 && d.Stream == next.Stream && unordered == next.Flags&U && (unordered != 0 || d.SSN == next.SSN)
		}
		ahead, refused, short := 1+random.IntN(40), 0, 0
		for range 5000 {
			tsn := tracker.CumulativeTSN() + 1
			switch random.IntN(20) {
			case 0:
				tsn += wire.TSN(random.IntN(ahead))
			case 1:
				tsn += wire.TSN(random.IntN(3))
				moved, err := tracker.Forward(tsn)
				require.NoError(t, err)
				require.True(t, moved)
				a.skip(tsn)
				continue
			}
			if tracker.Arrive(tsn) != Fresh {
				continue
			}
			d := &wire.Data{TSN: tsn, Stream: socket.StreamID(random.IntN(2)), SSN: wire.SSN(random.IntN(2)), Flags: whole}
			if random.IntN(3) == 0 {
				d.Flags = wire.DataFlags(random.IntN(8))
			}
			arrived[tsn] = d
			right := follows(tsn) && follows(tsn+1)
			require.Equal(t, right, a.check(d) == nil, "%+v", d)
			if !right {
				delete(arrived, tsn)
				refused++
				continue
			}
			a.put(d)
			tracker.Accept(tsn, d.Flags)
			if a.ended && a.open == 0 {
				require.Equal(t, tracker.CumulativeTSN(), a.past, "none is missing")
				require.False(t, tracker.Gaps())
				short++
			}
		}
		require.Positive(t, refused)
		require.Positive(t, short)
	})
}
