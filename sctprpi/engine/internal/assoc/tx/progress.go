package tx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"

// pathProgress is how far the chunks of a path have come. Those that were last sent there count, whatever is missing of other paths: what
// a slow path has not delivered yet says nothing of a fast one, though its TSNs may be lower.
type pathProgress struct {
	// waiting is how many of the chunks are lost and wait to be sent again.
	waiting int
	// low is not above the lowest TSN that is not acknowledged: see Sender.lowest. high is the highest that has been acknowledged since low.
	low, high wire.TSN
}

// sent notes that a chunk is sent. more says that others are outstanding.
func (p *pathProgress) sent(tsn wire.TSN, more bool) {
	switch {
	case !more:
		p.low = tsn
		if tsn.LessEqual(p.high) {
			p.high = tsn - 1
		}
	case tsn.Less(p.low):
		p.low = tsn
	}
}

// acked notes that a chunk is acknowledged.
func (p *pathProgress) acked(tsn wire.TSN) {
	if p.high.Less(tsn) {
		p.high = tsn
	}
}

// lowest returns the lowest TSN that was last sent on a path and is not acknowledged, the next TSN to be sent if there is none: all before it
// is the path's cumulative acknowledgement. It goes through the ring as far as that has moved since it was last asked.
func (s *Sender) lowest(id PathID) wire.TSN {
	p := &s.paths[id]
	if !p.outstanding() {
		return s.out.end
	}
	low := p.progress.low
	if low.Less(s.out.base) {
		low = s.out.base
	}
	for c := s.out.at(low); c.path != id || c.state == gapAcked; c = s.out.at(low) {
		low++
	}
	p.progress.low = low
	return low
}
