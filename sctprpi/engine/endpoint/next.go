package endpoint

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
)

// turn is how many packets an association may send before others have their turn.
const turn = 32

// Next fills a batch with packets to be sent, until it has about so many or so many
// bytes, and reports whether there may be more.
func (e *Endpoint) Next(now time.Duration, b *packet.Batch, packets, bytes int) bool {
	e.replies.flush(b)
	for !e.sending.empty() {
		en := e.sending.pop()
		for range turn {
			if b.Len() >= packets || b.Bytes() >= bytes {
				e.sending.add(&en.sending)
				return true
			}
			if !en.Next(now, b) {
				e.settle(en)
				en = nil
				break
			}
		}
		if en != nil {
			e.sending.add(&en.sending)
		}
	}
	return false
}

// Sending reports whether Next may have a packet.
func (e *Endpoint) Sending() bool { return !e.sending.empty() || e.replies.batch.Len() > 0 }

// settle takes in that an association has nothing to send.
func (e *Endpoint) settle(en *entry) {
	e.timers.schedule(en)
	if en.State() == assoc.Closed {
		e.ended(en)
	}
}

// replies are packets that belong to no association. More than there is room for are
// dropped: whoever sent what they answer will send it again. They go apart, as nothing is
// known of who that was.
type replies struct{ batch packet.Batch }

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
	b.Begin(packet.Packet{From: from, To: to, Apart: true})
	b.Head = wire.AppendHeader(b.Head, h)
	b.Head = chunk(b.Head)
	if b.Size() > assoc.SurePacket(to.Addr()) {
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
