// Package packet holds what the engine's protocol half and its I/O half hand each
// other: packets to be sent as gather lists, and packets received in memory that
// counts its references. Neither half knows the other.
package packet

import (
	"net/netip"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// Batch is a list of packets to be sent. Payload is not copied: a packet is a
// gather list of header bytes, which lie in the Batch, and views of the users'
// messages, which must not change until the Batch has been sent. Reset makes it
// ready for reuse, so that a Batch in its steady state allocates nothing.
//
// A packet is made by Begin, appending to Head what comes next and Payload for what
// is not to be copied, in any number and order, and End.
type Batch struct {
	// Head is where headers and control chunks of the packet at hand are
	// appended.
	Head    []byte
	packets []Packet
	parts   [][]byte
	bytes   int // of all packets
	mark    int // where in Head the current run of headers starts
	open    Packet
}

// Packet is a packet of a Batch.
type Packet struct {
	// From is the local address to send from, the zero Addr for any.
	From netip.Addr
	To   netip.AddrPort
	// Size is the length in bytes of the packet: the UDP payload.
	Size int
	// Fragment lets IP fragment the packet (RFC 9260, section 6.9). All others
	// are sent with the DF bit.
	Fragment bool
	// NoGSO sends the packet in a datagram of its own. Not all hosts can take a GSO batch.
	NoGSO bool
	// Unchecked packets go without a checksum (RFC 9653).
	Unchecked bool
	// ECN is NotECT or ECT0.
	ECN ECN

	first, last int // of its parts
}

// Begin begins a packet.
func (b *Batch) Begin(p Packet) {
	p.Size, p.first = 0, len(b.parts)
	b.open, b.mark = p, len(b.Head)
}

// Size returns the length of the packet at hand so far.
func (b *Batch) Size() int { return b.open.Size + len(b.Head) - b.mark }

// Payload appends views to the packet at hand.
func (b *Batch) Payload(views ...[]byte) {
	b.closeRun()
	for _, v := range views {
		b.open.Size += len(v)
	}
	b.parts = append(b.parts, views...)
}

// closeRun makes a part of the header bytes since the last one.
func (b *Batch) closeRun() {
	if n := len(b.Head) - b.mark; n > 0 {
		b.parts = append(b.parts, b.Head[b.mark:len(b.Head):len(b.Head)])
		b.open.Size += n
		b.mark = len(b.Head)
	}
}

// End ends the packet at hand.
func (b *Batch) End() {
	b.closeRun()
	b.open.last = len(b.parts)
	b.bytes += b.open.Size
	b.packets = append(b.packets, b.open)
}

// Cancel takes the packet at hand back.
func (b *Batch) Cancel() {
	b.parts = b.parts[:b.open.first]
	b.Head = b.Head[:b.mark]
}

// Seal computes the checksums of the packets. It is apart from their making
// because it takes time for each byte, which need not be spent under a lock.
func (b *Batch) Seal() {
	for i := range b.packets {
		if p := &b.packets[i]; !p.Unchecked {
			wire.SetChecksum(b.parts[p.first:p.last]...)
		}
	}
}

// Packets returns the packets, valid until Reset.
func (b *Batch) Packets() []Packet { return b.packets }

// Len returns how many packets there are.
func (b *Batch) Len() int { return len(b.packets) }

// Bytes returns how many bytes they have together.
func (b *Batch) Bytes() int { return b.bytes }

// Parts returns the gather list of a packet of the Batch.
func (b *Batch) Parts(p *Packet) [][]byte { return b.parts[p.first:p.last] }

// Reset empties the Batch. It forgets the users' memory.
func (b *Batch) Reset() {
	clear(b.parts)
	b.bytes = 0
	b.packets, b.parts, b.Head = b.packets[:0], b.parts[:0], b.Head[:0]
}

// Fragment lets IP fragment the packet at hand.
func (b *Batch) Fragment() { b.open.Fragment = true }

// Unchecked has the packet at hand sent without a checksum.
func (b *Batch) Unchecked() { b.open.Unchecked = true }

// Markable lets routers mark the packet at hand.
func (b *Batch) Markable() { b.open.ECN = ECT0 }
