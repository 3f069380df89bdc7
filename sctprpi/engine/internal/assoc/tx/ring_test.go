package tx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

func TestRingAcrossWrapAndGrowth(t *testing.T) {
	const first = wire.TSN(1<<32 - 100)
	r := newRing(first)
	for i := range 300 {
		tsn, c := r.push()
		require.Equal(t, first+wire.TSN(i), tsn)
		c.length = int32(i)
		if i%7 == 3 {
			r.setLost(tsn)
		}
	}
	for i := range 300 {
		tsn := r.base
		require.EqualValues(t, i, r.at(tsn).length)
		for i%7 != 3 && i < 300 {
			i++
		}
		found, ok := r.firstLost()
		require.Equal(t, i < 300, ok)
		if ok {
			require.Equal(t, first+wire.TSN(i), found)
		}
		if r.isLost(tsn) {
			r.clearLost(tsn)
		}
		r.pop()
	}
	assert.Zero(t, r.len())
	assert.Zero(t, r.lostCount)
}

func TestFlightListKeepsTheOrderOfSending(t *testing.T) {
	r := newRing(5)
	var l flightList
	for range 5 {
		tsn, _ := r.push()
		l.pushBack(&r, tsn)
	}
	for _, tsn := range []wire.TSN{5, 7, 9} { // head, middle, tail
		l.remove(&r, tsn)
	}
	l.pushBack(&r, 7)
	var order []wire.TSN
	for tsn := l.head; len(order) < l.n; tsn = r.at(tsn).next {
		order = append(order, tsn)
	}
	assert.Equal(t, []wire.TSN{6, 8, 7}, order)
	for _, tsn := range order {
		l.remove(&r, tsn)
	}
	assert.Zero(t, l.n)
}

func TestSubtractSpansAgainstSets(t *testing.T) {
	// Every pair of subsets of six TSNs around the wrap.
	const n, base = 6, wire.TSN(1<<32 - 3)
	spansOf := func(set int) []span {
		var spans []span
		for i := range n {
			tsn := base + wire.TSN(i)
			switch {
			case set>>i&1 == 0:
			case i > 0 && set>>(i-1)&1 == 1:
				spans[len(spans)-1].last = tsn
			default:
				spans = append(spans, span{tsn, tsn})
			}
		}
		return spans
	}
	for a := range 1 << n {
		for b := range 1 << n {
			got, last := 0, -1
			subtractSpans(spansOf(a), spansOf(b), func(tsn wire.TSN) {
				i := tsn.Sub(base)
				require.Greater(t, i, last, "in order")
				got, last = got|1<<i, i
			})
			require.Equal(t, a&^b, got, "%06b minus %06b", a, b)
		}
		for cut := range n {
			require.Equal(t, spansOf(a>>(cut+1)<<(cut+1)), trimmed(spansOf(a), base+wire.TSN(cut)), "%06b from %d", a, cut)
		}
	}
}

// trimmed is trimSpans with nil for nothing.
func trimmed(spans []span, cumulative wire.TSN) []span {
	return append([]span(nil), trimSpans(spans, cumulative)...)
}
