package failure

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// deaths are the processes of the job that this one knows to be dead, in the order in which it has learned of them. A communicator
// has acknowledged those up to some place in the list, so that all it needs to know is one number.
type deaths struct {
	count atomic.Int64 // the length of dead
	mu    sync.Mutex
	dead  []matching.Rank
	gone  map[matching.Rank]bool // dead or finalized
}

// add notes that a process is gone.
func (d *deaths) add(peer matching.Rank, dead bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.gone == nil {
		d.gone = make(map[matching.Rank]bool)
	}
	d.gone[peer] = true
	if dead {
		d.enter(peer)
	}
}

// enter enters a process in the list, once. mu is held.
func (d *deaths) enter(peer matching.Rank) {
	if !slices.Contains(d.dead, peer) {
		d.dead = append(d.dead, peer)
		d.count.Store(int64(len(d.dead)))
	}
}

// list is the dead. It is not changed, but others may follow.
func (d *deaths) list() []matching.Rank {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead[:len(d.dead):len(d.dead)]
}

// isGone reports whether a process is known to be dead, or to have finalized.
func (d *deaths) isGone(peer matching.Rank) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.gone[peer]
}

// isDead reports whether a process is known to be dead.
func (d *deaths) isDead(peer matching.Rank) bool { return slices.Contains(d.list(), peer) }

// Failed are the processes of the communicator that are known to be dead, in the order in which this process has learned of them.
func (s *State) Failed() []matching.Rank { return s.failedUpTo(s.process.deaths.count.Load()) }

// Acked are those of Failed whose death has been acknowledged.
func (s *State) Acked() []matching.Rank { return s.failedUpTo(s.acked.Load()) }

// failedUpTo are the dead processes of the communicator among the first n of the list.
func (s *State) failedUpTo(n int64) []matching.Rank {
	var failed []matching.Rank
	for _, peer := range s.process.deaths.list()[:n] {
		if s.members.Has(peer) {
			failed = append(failed, peer)
		}
	}
	return failed
}

// Ack acknowledges the first n of Failed, all of them if n is larger, and returns how many are acknowledged now.
func (s *State) Ack(n int) (acked int) {
	dead := s.process.deaths.list()
	failed := s.failedUpTo(int64(len(dead)))
	place := len(dead)
	if n < len(failed) {
		place = slices.Index(dead, failed[n])
	}
	for {
		before := s.acked.Load()
		if int64(place) <= before {
			return len(s.failedUpTo(before))
		}
		if s.acked.CompareAndSwap(before, int64(place)) {
			return len(s.failedUpTo(int64(place)))
		}
	}
}

// unacknowledged returns a dead process that could send on the communicator if it lived, and whose death the program has not acknowledged
// on it, AnySource if there is none.
func (s *State) unacknowledged() matching.Rank {
	acked := s.acked.Load()
	if acked >= s.process.deaths.count.Load() {
		return matching.AnySource
	}
	dead := s.process.deaths.list()
	for _, peer := range dead[acked:] {
		if s.senders.Has(peer) {
			return peer
		}
	}
	s.acked.CompareAndSwap(acked, int64(len(dead))) // they do not matter here
	return matching.AnySource
}

// errUnacknowledged is the cause of the error of a receive from any source.
var errUnacknowledged = errors.New("it may have been the one to send; after AckFailed such receives go on")

// Interrupted is why a wait for r, which has been started, must not go on: it is from any source, and one is dead. Nil if it can.
func (s *State) Interrupted(r *rpi.Request) error {
	if r.Peer != matching.AnySource || r.Op == rpi.OpSend || r.Context != s.context || s.process.Expelled() {
		return nil
	}
	if peer := s.unacknowledged(); peer != matching.AnySource {
		return &rpi.PeerError{Peer: peer, Cause: errUnacknowledged}
	}
	return nil
}
