package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Discard drops the messages of context c whose tags are at most tag and that no receive has
// taken: those that have arrived and those to come.
func (l *Layer) Discard(c matching.Context, tag matching.Tag) {
	l.discarded.Add(c, tag)
	for held := range l.match.Messages() {
		if held.Context == c {
			l.sift(held.Owner.(*message))
		}
	}
}

// sift drops m, which has arrived, if it is not wanted and no receive has
// taken it.
func (l *Layer) sift(m *message) {
	if l.discarded.Has(m.Context, m.Tag) && l.match.Take(&m.Message) {
		l.drop(m)
	}
}

// drop has a receive of the layer's own take m, so that the protocol ends as usual. m is not in
// the matching engine.
func (l *Layer) drop(m *message) {
	r := l.ownRequest()
	r.Op, r.Context, r.Peer, r.Tag = rpi.OpRecv, m.Context, m.Source, m.Tag
	l.pair(r, m)
}
