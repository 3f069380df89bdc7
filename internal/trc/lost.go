package trc

import "github.com/sctpmpi/sctpmpi/matching"

// A message of which the rest will never come is lost, because its sender is gone. What was sent behind it in its context is dropped,
// on other channels too: a receive that was to get the lost one must not get a later one instead.

// dropBehind notes that a message of a peer is lost that no receive has taken.
func (l *Layer) dropBehind(p *Peer, c matching.Context, seq matching.Seq) {
	if p.isBehind(c, seq) {
		return
	}
	if p.lost == nil {
		p.lost = make(map[matching.Context]matching.Seq)
	}
	p.lost[c] = seq
	for m := range l.Match.MessagesIn(c) {
		if own, ok := m.Owner.(*message); ok && m.Source == p.Rank && m.Seq > seq && l.Match.Take(m) {
			l.discard(own)
		}
	}
}

// isBehind reports whether a message was sent behind one that is lost.
func (p *Peer) isBehind(c matching.Context, seq matching.Seq) bool {
	first, some := p.lost[c]
	return some && seq >= first
}
