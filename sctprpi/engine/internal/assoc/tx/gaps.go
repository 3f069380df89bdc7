package tx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"

// span is a run of TSNs from first to last that gap ack blocks acknowledge.
type span struct{ first, last wire.TSN }

// keptSpans is how many places for spans are kept when there are none.
const keptSpans = 64

// withoutExcess returns an empty list, and with no memory if it has much.
func withoutExcess(spans []span) []span {
	if cap(spans) > keptSpans {
		return nil
	}
	return spans[:0]
}

// appendSpans appends what gap ack blocks, valid ones, acknowledge. Blocks that
// touch become one span.
func appendSpans(spans []span, cumulative wire.TSN, blocks wire.GapBlocks) []span {
	for b := range blocks.All() {
		s := span{cumulative + wire.TSN(b.Start), cumulative + wire.TSN(b.End)}
		if last := len(spans) - 1; last >= 0 && spans[last].last+1 == s.first {
			spans[last].last = s.last
		} else {
			spans = append(spans, s)
		}
	}
	return spans
}

// trimSpans takes from ascending spans what is not after a TSN.
func trimSpans(spans []span, cumulative wire.TSN) []span {
	gone := 0
	for gone < len(spans) && spans[gone].last.LessEqual(cumulative) {
		gone++
	}
	spans = spans[:copy(spans, spans[gone:])]
	if len(spans) > 0 && spans[0].first.LessEqual(cumulative) {
		spans[0].first = cumulative + 1
	}
	return spans
}

// appendUnion appends what is in a or in b, both ascending and each without spans that touch.
func appendUnion(spans, a, b []span) []span {
	for len(a)+len(b) > 0 {
		from := &a
		if len(a) == 0 || len(b) > 0 && b[0].first.Less(a[0].first) {
			from = &b
		}
		next := (*from)[0]
		*from = (*from)[1:]
		switch last := len(spans) - 1; {
		case last < 0 || (spans[last].last + 1).Less(next.first):
			spans = append(spans, next)
		case spans[last].last.Less(next.last):
			spans[last].last = next.last
		}
	}
	return spans
}

// subtractSpans calls do, in order, with each TSN that is in a and not in b,
// both ascending. It takes time for the spans and the TSNs found.
func subtractSpans(a, b []span, do func(wire.TSN)) {
	for _, s := range a {
		for len(b) > 0 && b[0].last.Less(s.first) {
			b = b[1:]
		}
		next, rest := s.first, b
		for ; len(rest) > 0 && rest[0].first.LessEqual(s.last); rest = rest[1:] {
			for ; next.Less(rest[0].first); next++ {
				do(next)
			}
			next = rest[0].last + 1
		}
		for ; next.LessEqual(s.last); next++ {
			do(next)
		}
	}
}
