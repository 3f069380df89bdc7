package endpoint

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// turn is how many packets an association may send before others have their turn.
const turn = 32

// Next fills a batch with packets to be sent, until it has about that many packets or
// bytes, and reports whether there may be more.
func (e *Endpoint) Next(now time.Duration, b *packet.Batch, packets, bytes int) bool {
	e.replies.flush(b)
	for !e.sending.Empty() {
		en := e.sending.Pop()
		for range turn {
			if b.Len() >= packets || b.Bytes() >= bytes {
				e.sending.Push(en, &en.sending)
				return true
			}
			if !en.Next(now, b) {
				e.settle(en)
				en = nil
				break
			}
		}
		if en != nil {
			e.sending.Push(en, &en.sending)
		}
	}
	return false
}

// Sending reports whether Next may have a packet.
func (e *Endpoint) Sending() bool { return !e.sending.Empty() || e.replies.batch.Len() > 0 }

// settle notes that an association has nothing to send.
func (e *Endpoint) settle(en *entry) {
	e.timers.schedule(en)
	if en.State() == assoc.Closed {
		e.ended(en)
	}
}

// replies are packets that belong to no association. Those for which there is no room are dropped:
// the host whose packets they answer will send them again. They are sent without GSO, since it is
// not known whether that host can take it.
type replies struct {
	host  *assoc.Host
	batch packet.Batch
}

// maxReplies bounds them, and maxReplyBytes what they take.
const (
	maxReplies    = 256
	maxReplyBytes = 256 << 10
)

// add puts a packet with a chunk into the queue.
func (r *replies) add(from netip.Addr, to netip.AddrPort, h wire.Header, chunk func([]byte) []byte) {
	b := &r.batch
	if b.Len() >= maxReplies || len(b.Head) >= maxReplyBytes {
		return
	}
	b.Begin(packet.Packet{From: from, To: to, NoGSO: true})
	b.Head = wire.AppendHeader(b.Head, h)
	b.Head = chunk(b.Head)
	if b.Size() > r.host.SurePacket(to.Addr()) {
		b.Fragment()
	}
	b.End()
}

// flush moves the packets to another batch.
func (r *replies) flush(b *packet.Batch) {
	for i := range r.batch.Packets() {
		p := r.batch.Packets()[i]
		parts := r.batch.Parts(&p)
		b.Begin(p)
		for _, part := range parts {
			b.Head = append(b.Head, part...)
		}
		b.End()
	}
	r.batch.Reset()
}
