package trc

import (
	"iter"

	"github.com/sctpmpi/sctpmpi/matching"
)

// arriving lists the first channels of TRCs from peers in the context of k.
func (l *Layer) arriving(k Key) *List[Incoming] {
	c := k.Context &^ apart
	all := l.in[c]
	if all == nil {
		all = new(List[Incoming])
		l.in[c] = all
	}
	return all
}

// Incoming lists the first channels of TRCs from peers in a context. The one that is being looked at may be vacated.
func (l *Layer) Incoming(c matching.Context) iter.Seq[*Incoming] {
	if all := l.in[c]; all != nil {
		return all.All()
	}
	return func(func(*Incoming) bool) {}
}

// Apart reports whether the TRC is a single collective operation.
func (c *Incoming) Apart() bool { return c.Key.Context&apart != 0 }

// Vacate takes an idle channel, the only one of its TRC, from that: its next message says which TRC it belongs to. It reports
// whether it could. The carrier calls Name or Leave later, unless a message does.
func (l *Layer) Vacate(c *Incoming) bool {
	if c.Unnamed || !c.Idle() || c.Successor != nil || c.Peer.In[c.Key] != c {
		return false
	}
	l.Cleared(c)
	l.setIn(c.Peer, c.Key, nil)
	c.Peer.dropRetractions(c.Key)
	c.Peer.unnamed++
	c.Key, c.Unnamed, c.vacated = Key{}, true, true
	c.begun, c.last, c.tried = false, 0, false
	return true
}

// Name makes a channel without a TRC the last one of a TRC, as Add does.
func (l *Layer) Name(c *Incoming, k Key) {
	l.Leave(c)
	c.Key, c.Unnamed = k, false
	c.Behind = !l.Add(c)
}

// Leave forgets a channel without a TRC on which nothing more comes.
func (l *Layer) Leave(c *Incoming) {
	if c.vacated {
		c.vacated = false
		c.Peer.unnamed--
		l.Cleared(c)
	}
}
