package progression

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
)

// readyList lists the peers that the transport has to look at: frames are queued for them, or a
// connection with them is needed so that their failure is noticed. Frames of short messages may be
// held back for a while, because others are likely to follow.
type readyList struct {
	peers []readyState
	ready []matching.Rank
	held  []matching.Rank
}

// readyState is the place of one peer.
type readyState struct {
	ready, held bool // the peer is in that list
	reached     bool // the peer has been ready before
	mayWait     bool // the peer is ready only for a frame that may be held back
	waiting     int  // how many such frames have been added in a row
}

// maxHeld is how many messages to a peer are held back until they leave together.
const maxHeld = 32

func newReadyList(size int) readyList { return readyList{peers: make([]readyState, size)} }

// add puts a peer on the list.
func (l *readyList) add(peer matching.Rank) {
	if p := &l.peers[peer]; !p.ready {
		p.ready = true
		l.ready = append(l.ready, peer)
	}
}

// reach puts a peer on the list if it has never been there.
func (l *readyList) reach(peer matching.Rank) {
	if !l.peers[peer].reached {
		l.add(peer)
	}
}

// hold holds back the frame that has just put a peer on the list.
func (l *readyList) hold(peer matching.Rank) {
	p := &l.peers[peer]
	p.mayWait = p.ready
}

// next takes a peer off the list.
func (l *readyList) next() (peer matching.Rank, ok bool) {
	for last := len(l.ready) - 1; last >= 0; last-- {
		peer = l.ready[last]
		l.ready = l.ready[:last]
		p := &l.peers[peer]
		p.ready, p.reached = false, true
		if p.mayWait {
			p.mayWait = false
			if p.waiting++; p.waiting < maxHeld {
				if !p.held {
					p.held = true
					l.held = append(l.held, peer)
				}
				continue
			}
		}
		p.waiting = 0
		return peer, true
	}
	return 0, false
}

// release puts the peers on the list for which frames are held back.
func (l *readyList) release() {
	for _, peer := range slices.Backward(l.held) { // the first that was held is the first of next
		l.peers[peer].held = false
		l.add(peer)
	}
	l.held = l.held[:0]
}

// clear forgets all peers.
func (l *readyList) clear() { l.ready, l.held = nil, nil }
