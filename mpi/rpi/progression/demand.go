package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// demand asks for a message that a receive or probe waits for, and that may be in the backlog
// of a peer, if it has not been asked for already. The tag may be AnyTag.
func (l *Layer) demand(from matching.Rank, c matching.Context, tag matching.Tag) {
	p := &l.peers[from]
	if _, open := p.demands[trc{c, tag}]; open || !p.holds || p.failed != nil {
		return
	}
	if p.demands == nil {
		p.demands = make(map[trc]struct{})
	}
	p.demands[trc{c, tag}] = struct{}{}
	l.queue(from, &matching.Envelope{Kind: matching.Demand, Context: c, Tag: tag}, nil, nil)
}

// answered takes in that a peer has answered a Demand.
func (l *Layer) answered(from matching.Rank, c matching.Context, tag matching.Tag) error {
	p := &l.peers[from]
	if _, open := p.demands[trc{c, tag}]; !open {
		return violation(from, "it announces a message without credit that nobody has demanded")
	}
	delete(p.demands, trc{c, tag})
	return nil
}

// answers takes in the Demand that an announced message answers.
func (l *Layer) answers(from matching.Rank, env *matching.Envelope) error {
	if env.Answer == matching.ToAnyContext && env.Context&rpi.InOrder != 0 {
		return violation(from, "it announces a message of context %#x, which nobody has demanded", uint64(env.Context))
	}
	c, tag := env.Demanded()
	return l.answered(from, c, tag)
}

// lack demands what a receive or probe waits for from those that hold messages back.
func (l *Layer) lack(c matching.Context, source matching.Rank, tag matching.Tag) {
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

// pursue demands more messages like one that a peer holds back, or held back until a receive
// got it, if there are receives or probes that wait for them.
func (l *Layer) pursue(from matching.Rank, c matching.Context, tag matching.Tag) {
	l.drain(from)
	byTag, anyTag := l.match.Awaited(c, from, tag)
	for _, r := range l.probes {
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
