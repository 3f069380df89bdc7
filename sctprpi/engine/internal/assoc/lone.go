package assoc

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// SendLone is Send and Next in one, for a message that leaves at once in a packet of its own, with nothing to be sent after it. A SACK
// chunk that has waited for a packet goes along. Expire is then to be called at the deadline.
//
// It returns false if it is not so: then nothing has happened, and Send and Next are to be called.
func (a *Association) SendLone(now time.Duration, m *socket.Message, b *packet.Batch) (deadline time.Duration, sent bool) {
	if !a.idle(now) {
		return never, false
	}
	waiting, outstanding := a.out.Buffered()
	if a.calls(waiting + outstanding + m.Len()) { // a probe is to follow
		return never, false
	}
	i, one := a.lonePath(now, m.Stream)
	if !one {
		return never, false
	}
	sack := a.sackRoom(i)
	chunks, sent := a.out.Lone(a.host.chunks[:0], now, m, tx.PathID(i), a.paths[i].room()-sack)
	if !sent {
		return never, false
	}
	a.host.chunks = chunks
	a.open(b, i, a.peerTag)
	if a.out.Markable() {
		b.Markable()
	}
	if sack > 0 {
		a.appendSACK(b, sack)
	}
	a.closeData(now, b, i)
	a.counted.packetsSent++
	deadline, _ = a.out.Deadline()
	return deadline, true
}

// lonePath returns the path on which Next would send a message of a stream, false if it would weigh several.
func (a *Association) lonePath(now time.Duration, stream socket.StreamID) (i int, one bool) {
	if a.multipath() {
		if open := a.openPaths(); open != 0 {
			id, free := a.out.LonePath(now, open, stream)
			return int(id), free
		}
	}
	return a.dataPath(), true
}
