package progression

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Agenda lists the peers that a transport has to look at before it gives its lock up: those
// for whom something has been queued, or with whom there is to be a connection, so that its
// end is noticed and reported with Layer.Fail. What is queued for some of them may wait for
// more. It is guarded by that lock, and a Layer's.
type Agenda struct {
	peers []item
	due   []matching.Rank // whose turn it is
	held  []matching.Rank // who may wait
}

// item is what the agenda says of a peer.
type item struct {
	due, held bool // it is in the list
	reached   bool
	patient   bool // it is due for a message that may wait
	waiting   int  // such messages
}

// patience is how many messages may wait for others.
const patience = 32

// newAgenda returns the agenda of a process in a job of that size.
func newAgenda(size int) Agenda { return Agenda{peers: make([]item, size)} }

// Add makes it a peer's turn.
func (a *Agenda) Add(peer matching.Rank) {
	if p := &a.peers[peer]; !p.due {
		p.due = true
		a.due = append(a.due, peer)
	}
}

// reach makes it a peer's turn if it never has been.
func (a *Agenda) reach(peer matching.Rank) {
	if !a.peers[peer].reached {
		a.Add(peer)
	}
}

// wait lets a peer wait, if it is its turn, for what has just been queued.
func (a *Agenda) wait(peer matching.Rank) {
	p := &a.peers[peer]
	p.patient = p.due
}

// Next takes the next peer off whose turn it is.
func (a *Agenda) Next() (peer matching.Rank, ok bool) {
	for last := len(a.due) - 1; last >= 0; last-- {
		peer = a.due[last]
		a.due = a.due[:last]
		p := &a.peers[peer]
		p.due, p.reached = false, true
		if p.patient {
			p.patient = false
			if p.waiting++; p.waiting < patience {
				if !p.held {
					p.held = true
					a.held = append(a.held, peer)
				}
				continue
			}
		}
		p.waiting = 0
		return peer, true
	}
	return 0, false
}

// Release makes it the turn of all that wait.
func (a *Agenda) Release() {
	for _, peer := range slices.Backward(a.held) { // the first to wait is the first of Next
		a.peers[peer].held = false
		a.Add(peer)
	}
	a.held = a.held[:0]
}

// clear forgets all.
func (a *Agenda) clear() { a.due, a.held = nil, nil }
