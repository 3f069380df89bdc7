package assoc

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// maxControl bounds the control chunks that wait for a path, in bytes, so that they
// fit one packet. What comes beyond is dropped: a peer that asks for so many answers
// at once is not owed them, and what we send of our own is sent again.
const maxControl = baseMTUv4 - ipv6Header - udpHeader - wire.HeaderSize - sackReserve

// sackReserve is what a SACK chunk may take of a packet that has no room to spare.
const sackReserve = 64

// controlRoom is maxControl, or less on a path that is narrower than most.
func (p *path) controlRoom() int { return min(maxControl, p.room()-sackReserve) }

// control queues a chunk for a path. The packet will not be markable: what makes, ends and tests associations does not depend on how the
// path treats those that are.
func (a *Association) control(i int, add func([]byte) []byte) {
	a.accompany(i, add)
	a.paths[i].plain = true
}

// accompany is control for a chunk that goes with data.
func (a *Association) accompany(i int, add func([]byte) []byte) {
	p := &a.paths[i]
	if b := add(p.control); len(b) <= p.controlRoom() {
		p.control = b
	}
}

// report queues an ERROR chunk in answer to a packet from a path.
func (a *Association) report(from int, causes wire.Causes) {
	a.control(a.answerPath(from), func(b []byte) []byte { return wire.AppendError(b, causes) })
}
