package packet

import (
	"net/netip"
	"slices"
	"time"
)

// Guard is what of a socket.Guard sends.
type Guard interface {
	Overhead() (before, behind int)
	Seal(now time.Duration, b []byte, to netip.AddrPort) (datagram []byte, ok bool)
	Next() (datagram []byte, to netip.AddrPort, ok bool)
}

// SealInto puts into out what is to be sent in the place of the packets: each sealed, if the guard does that, and what the
// guard sends itself. Payload is copied: a packet must be in one piece for that. Packets of equal size stay equal.
func (b *Batch) SealInto(out *Batch, g Guard, now time.Duration) {
	out.Reset()
	before, behind := g.Overhead()
	for i := range b.packets {
		p := &b.packets[i]
		out.Begin(*p)
		start := len(out.Head)
		out.Head = slices.Grow(out.Head, before+p.Size+behind)[:start+before]
		for _, part := range b.Parts(p) {
			out.Head = append(out.Head, part...)
		}
		datagram, ok := g.Seal(now, out.Head[start:], p.To)
		if !ok {
			out.Cancel()
			continue
		}
		out.Head = out.Head[:start+len(datagram)]
		out.End()
	}
	for datagram, to, ok := g.Next(); ok; datagram, to, ok = g.Next() {
		out.Begin(Packet{To: to, NoGSO: true})
		out.Payload(datagram)
		out.End()
	}
}
