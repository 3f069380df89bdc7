package guard

import (
	"errors"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// Stats counts datagrams that had no effect, and changes of keys.
type Stats struct {
	// Strangers were not sealed, or with other keys than a peer has, or exceeded what is tried of unknown senders.
	Strangers uint64
	// Forged were changed on their way, or made up by what has seen a peer's ID.
	Forged uint64
	// Replayed came before, or too late. Stale are of an epoch that is over, or has not begun.
	Replayed, Stale uint64
	// Unknown were not sent: no session is known for their address.
	Unknown uint64
	// Rekeyed counts the epochs that have begun, of all sessions.
	Rekeyed uint64
}

type counters struct{ strangers, forged, replayed, stale, unknown, rekeyed atomic.Uint64 }

// refused counts a datagram that did not open.
func (c *counters) refused(err error) {
	if errors.Is(err, seal.ErrReplayed) {
		c.replayed.Add(1)
	} else {
		c.forged.Add(1)
	}
}

// Stats returns the counts.
func (g *Guard) Stats() Stats {
	c := &g.counts
	return Stats{
		Strangers: c.strangers.Load(), Forged: c.forged.Load(), Replayed: c.replayed.Load(), Stale: c.stale.Load(),
		Unknown: c.unknown.Load(), Rekeyed: c.rekeyed.Load(),
	}
}
