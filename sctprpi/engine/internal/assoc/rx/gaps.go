package rx

import (
	"math"
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

const (
	// maxAhead is how far beyond the cumulative TSN a TSN may be: as far as a
	// gap ack block reaches.
	maxAhead = math.MaxUint16
	// maxGaps bounds the runs of TSNs beyond the cumulative one, each of which
	// takes 8 bytes. A SACK in a packet of 1500 bytes can name some 360.
	maxGaps = 4096
)

// run is a span of TSNs that have arrived, both ends included.
type run struct{ first, last wire.TSN }

// received are the TSNs that have arrived: all up to cumulative and those in
// runs, which are ascending, apart from each other and from cumulative.
type received struct {
	cumulative wire.TSN
	runs       []run
}

// find returns the first run that ends at tsn - 1 or later.
func (r *received) find(tsn wire.TSN) int {
	// Most chunks come in order and touch the last run or are beyond it.
	if n := len(r.runs); n == 0 || r.runs[n-1].last+1 == tsn {
		return max(n-1, 0)
	} else if (r.runs[n-1].last + 1).Less(tsn) {
		return n
	}
	i, _ := slices.BinarySearchFunc(r.runs, tsn, func(x run, tsn wire.TSN) int { return (x.last + 1).Sub(tsn) })
	return i
}

// verdict says whether insert may be called for a TSN.
func (r *received) verdict(tsn wire.TSN) Verdict {
	ahead := tsn.Sub(r.cumulative)
	switch {
	case ahead <= 0:
		return Duplicate
	case ahead > maxAhead:
		return Beyond
	case ahead == 1:
		return Fresh
	}
	i := r.find(tsn)
	switch {
	case i == len(r.runs) || (tsn + 1).Less(r.runs[i].first):
		if len(r.runs) >= maxGaps {
			return Beyond
		}
	case r.runs[i].first.LessEqual(tsn) && tsn.LessEqual(r.runs[i].last):
		return Duplicate
	}
	return Fresh
}

// insert adds a TSN that is Fresh.
func (r *received) insert(tsn wire.TSN) {
	if tsn == r.cumulative+1 {
		r.advance(tsn)
		return
	}
	i := r.find(tsn)
	if i == len(r.runs) {
		r.runs = append(r.runs, run{tsn, tsn})
		return
	}
	switch x := &r.runs[i]; tsn {
	case x.last + 1:
		x.last = tsn
		if i+1 < len(r.runs) && r.runs[i+1].first == tsn+1 {
			x.last = r.runs[i+1].last
			r.runs = slices.Delete(r.runs, i+1, i+2)
		}
	case x.first - 1:
		x.first = tsn
	default:
		r.runs = slices.Insert(r.runs, i, run{tsn, tsn})
	}
}

// advance moves the cumulative TSN to tsn, and on as far as nothing is missing.
func (r *received) advance(tsn wire.TSN) {
	r.cumulative = tsn
	passed := 0
	for _, x := range r.runs {
		if (r.cumulative + 1).Less(x.first) {
			break
		}
		if r.cumulative.Less(x.last) {
			r.cumulative = x.last
		}
		passed++
	}
	if passed > 0 {
		r.runs = cut(r.runs, 0, passed)
	}
}

// highest returns the highest TSN that has arrived.
func (r *received) highest() wire.TSN {
	if n := len(r.runs); n > 0 {
		return r.runs[n-1].last
	}
	return r.cumulative
}

// appendBlocks appends runs, at most room of them, as gap ack blocks: the first ones, or with ends as many of the last ones.
func (r *received) appendBlocks(blocks wire.GapBlocks, room int, ends bool) wire.GapBlocks {
	if ends && len(r.runs) > room {
		last := room / 2
		blocks = r.appendRuns(blocks, r.runs[:room-last])
		return r.appendRuns(blocks, r.runs[len(r.runs)-last:])
	}
	return r.appendRuns(blocks, r.runs[:min(len(r.runs), room)])
}

func (r *received) appendRuns(blocks wire.GapBlocks, runs []run) wire.GapBlocks {
	for _, x := range runs {
		blocks = blocks.Append(wire.GapBlock{
			Start: uint16(x.first - r.cumulative), End: uint16(x.last - r.cumulative),
		})
	}
	return blocks
}
