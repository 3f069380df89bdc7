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
	if !a.idle(now) || a.multipath() {
		return never, false
	}
	waiting, outstanding := a.out.Buffered()
	if a.calls(waiting + outstanding + m.Len()) { // a probe is to follow
		return never, false
	}
	i := a.dataPath()
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
