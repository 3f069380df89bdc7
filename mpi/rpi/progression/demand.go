package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// demand asks a peer to announce a message that a receive or probe waits for and that the peer may
// hold back, unless it has been asked already. The tag may be AnyTag.
func (l *Layer) demand(from matching.Rank, c matching.Context, tag matching.Tag) {
	p := &l.peers[from]
	if _, open := p.demands[trc{c, tag}]; open || !p.holds || l.Failed(from) != nil {
		return
	}
	if p.demands == nil {
		p.demands = make(map[trc]struct{})
	}
	p.demands[trc{c, tag}] = struct{}{}
	l.queue(from, &header.Header{Kind: header.Demand, Context: c, Tag: tag}, nil, nil)
}

// answered notes that a peer has answered a Demand.
func (l *Layer) answered(from matching.Rank, c matching.Context, tag matching.Tag) error {
	p := &l.peers[from]
	if _, open := p.demands[trc{c, tag}]; !open {
		return violation(from, "it announces a message without credit that was not demanded")
	}
	delete(p.demands, trc{c, tag})
	return nil
}

// answers notes which Demand an announced message answers.
func (l *Layer) answers(from matching.Rank, h *header.Header) error {
	if h.Answer == header.ToAnyContext && h.Context&rpi.InOrder != 0 {
		return violation(from, "it announces a message of context %#x, which was not demanded", uint64(h.Context))
	}
	c, tag := h.Demanded()
	return l.answered(from, c, tag)
}

// demandAwaited demands the message that a receive or probe waits for, from the peers that hold messages
// back.
func (l *Layer) demandAwaited(c matching.Context, source matching.Rank, tag matching.Tag) {
	if l.holders == 0 {
		return
	}
	if source != matching.AnySource {
		l.demand(source, c, tag)
		return
	}
	for peer := range l.peers {
		l.demand(matching.Rank(peer), c, tag)
	}
}

// demandMore demands more messages with the tag of one that a peer holds back, or held back until a
// receive got it, if receives or probes wait for them.
func (l *Layer) demandMore(from matching.Rank, c matching.Context, tag matching.Tag) {
	l.drain(from)
	byTag, anyTag := l.Match.Awaited(c, from, tag)
	for _, r := range l.Probes {
		if r.Context == c && (r.Peer == from || r.Peer == matching.AnySource) {
			byTag, anyTag = byTag || r.Tag == tag, anyTag || r.Tag == matching.AnyTag
		}
	}
	if byTag {
		l.demand(from, c, tag)
	}
	if anyTag {
		l.demand(from, c, matching.AnyTag)
	}
}

// setHolds notes whether a peer holds messages back.
func (l *Layer) setHolds(p *peer, holds bool) {
	if p.holds == holds {
		return
	}
	if p.holds = holds; holds {
		l.holders++
	} else {
		l.holders--
	}
}
