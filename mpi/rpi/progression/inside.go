package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// inside is the layer as its table of operations sees it.
type inside Layer

func (l *inside) layer() *Layer { return (*Layer)(l) }

// Pair implements operations.Layer.
func (l *inside) Pair(r *rpi.Request, m *matching.Message) { l.layer().pair(r, m.Owner.(*message)) }

// Await implements operations.Layer: it makes sure that the failure of the peer is noticed, and that the
// message is sent if it is held back.
func (l *inside) Await(c matching.Context, source matching.Rank, tag matching.Tag) {
	if source != matching.AnySource && source != l.Self {
		l.ready.reach(source)
	}
	l.layer().demandAwaited(c, source, tag)
}

// Taken implements operations.Layer.
func (l *inside) Taken(*matching.Message) {}

// Undecided implements operations.Layer: what has not arrived never will.
func (l *inside) Undecided(matching.Rank, matching.Context, matching.Tag) bool { return false }

// Connected implements operations.Layer.
func (l *inside) Connected(peer matching.Rank) bool { return l.layer().connected(peer) }
