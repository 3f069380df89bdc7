package endpoint

import (
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Stats count what an Endpoint has dropped, and why.
type Stats struct {
	// Malformed packets have no common header and chunk, or are for another
	// port; Unchecked ones have a wrong checksum.
	Malformed, Unchecked uint64
	// Flooding packets were not admitted: there were too many of their source, or of strangers.
	Flooding uint64
	// OutOfTheBlue packets belong to no association, or carry a wrong tag.
	OutOfTheBlue uint64
	// Inits were answered with a cookie, Refused with an ABORT chunk.
	Inits, Refused uint64
	// ForgedCookies were not signed by this endpoint, StaleCookies came too
	// late.
	ForgedCookies, StaleCookies uint64
}

// Stats returns the counters.
func (e *Endpoint) Stats() Stats {
	s := e.stats
	s.Flooding = e.gate.Refused()
	return s
}

// Admit decides which of some packets the Endpoint is to hear of, and reports whether one of a stranger was refused: see
// admission.Gate. One goroutine at a time calls it, without a lock, and before Checked.
func (e *Endpoint) Admit(now time.Duration, batch []packet.Datagram, admitted []bool) (refusedStranger bool) {
	return e.gate.Admit(now, batch, admitted)
}

// Expect says that a peer may begin an association from some addresses: see socket.Gatekeeper. No lock need be held.
func (e *Endpoint) Expect(peer ...socket.Addr) {
	for _, a := range peer {
		if a.UDP != 0 {
			e.gate.Expect(netip.AddrPortFrom(a.IP.Unmap(), a.UDP))
		}
	}
}

// Checked reports whether a packet carries its checksum. It is apart from Receive
// because it takes time for each byte and needs no lock. What sets up an association must have it (RFC 9653, section 5.3).
func (e *Endpoint) Checked(b []byte) bool {
	return wire.VerifyChecksum(b, e.host.Trusted && !wire.SetsUp(b))
}

// Bad counts a packet that Checked has refused.
func (e *Endpoint) Bad() { e.stats.Unchecked++ }

// Receive handles a packet that has been Checked. What it keeps of it, it keeps by
// references of its own to the packet's buffer.
func (e *Endpoint) Receive(now time.Duration, d *packet.Datagram) {
	p, err := wire.ParsePacket(d.Bytes)
	if err != nil || p.DestinationPort != e.host.Port || !validPeerAddress(d.From.Addr()) {
		e.stats.Malformed++
		return
	}
	first, ok := firstChunk(p)
	if !ok {
		e.stats.Malformed++
		return
	}
	switch first.Type {
	case wire.TypeInit:
		e.initChunk(now, home(d), &p, first)
	case wire.TypeCookieEcho:
		e.cookieEcho(now, home(d), &p, first)
	default:
		en := e.find(d, &p, first)
		switch {
		case en == nil:
			e.outOfTheBlue(home(d), &p, first)
		case reflects(first):
			en.Reflected(first)
			e.touch(en)
		default:
			e.deliver(now, en, d, &p, false)
		}
	}
}

// home has a packet that belongs to no path count as come from where its sender is known to be: it may be a copy, and is answered there.
func home(d *packet.Datagram) *packet.Datagram {
	if d.Sender.ID != 0 {
		d.From = d.Sender.At
	}
	return d
}

// reflects reports whether a packet that begins with a chunk carries its sender's tag
// instead of its receiver's (RFC 9260, section 8.5.1, B and C).
func reflects(first wire.Chunk) bool {
	return (first.Type == wire.TypeAbort || first.Type == wire.TypeShutdownComplete) && first.Reflected()
}

func firstChunk(p wire.Packet) (wire.Chunk, bool) {
	for c, err := range p.Chunks() {
		return c, err == nil
	}
	return wire.Chunk{}, false
}

// validPeerAddress reports whether an address may be a peer's (RFC 9260, section 8.4, rule
// 1).
func validPeerAddress(a netip.Addr) bool {
	return a.IsValid() && !a.IsUnspecified() && !a.IsMulticast() && a != netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// find returns the association that a packet belongs to, after the rules of RFC 9260,
// section 8.5.
func (e *Endpoint) find(d *packet.Datagram, p *wire.Packet, first wire.Chunk) *entry {
	if reflects(first) {
		en := e.byPeer[peer{d.From, p.SourcePort}]
		if en == nil && d.Sender.ID != 0 {
			en = e.byPeer[peer{d.Sender.At, p.SourcePort}]
		}
		if en != nil && en.PeerTag() != 0 && en.PeerTag() == p.Tag {
			return en
		}
		return nil
	}
	en := e.byTag[p.Tag]
	switch {
	case en == nil || en.PeerPort() != p.SourcePort:
		return nil
	case first.Type == wire.TypeShutdownAck && en.State() < assoc.Established: // section 8.5.1, E
		return nil
	}
	return en
}

// deliver gives an association a packet. skip says that its first chunk has been
// handled. What comes from elsewhere counts if a guard says that it is the peer's; the path stays.
func (e *Endpoint) deliver(now time.Duration, en *entry, d *packet.Datagram, p *wire.Packet, skip bool) {
	from := en.PathOf(d.From)
	before := en.State()
	if from < 0 {
		from = en.pathOfSender(d)
		if from < 0 {
			e.stats.OutOfTheBlue++
		}
		en.Elsewhere(now, d.From, p, from)
	}
	if from >= 0 {
		if en.sender == 0 {
			e.attribute(en, d.Sender.ID)
		}
		if deadline, quiet := en.Receive(now, from, p, d.Buffer, d.ECN == packet.CE, skip); quiet {
			e.timers.hasten(en, deadline)
			e.wake(en)
			return
		}
	}
	more := before < assoc.Established && en.State() != before // the peer has named its addresses
	if (en.Readdressed() || more) && en.State() != assoc.Closed {
		e.index(en)
	}
	e.touch(en)
}

// pathOfSender returns the number of a path to who has sealed a packet, -1 if there is none, or it is not known who that is.
func (en *entry) pathOfSender(d *packet.Datagram) int {
	if d.Sender.ID == 0 {
		return -1
	}
	i := en.PathOf(d.Sender.At)
	if i < 0 && d.Sender.ID == en.sender {
		return en.Primary()
	}
	return i
}

// outOfTheBlue answers a packet that belongs to no association (RFC 9260, section
// 8.4).
//
// From the peer of an association it has a wrong tag instead, and is dropped (section
// 8.5), unless it is a SHUTDOWN ACK chunk of an association that this end has lost and
// is setting up anew (section 8.5.1, E). So is what has tag 0.
func (e *Endpoint) outOfTheBlue(d *packet.Datagram, p *wire.Packet, first wire.Chunk) {
	e.stats.OutOfTheBlue++
	en := e.owner(peer{d.From, p.SourcePort})
	lost := en != nil && en.State() < assoc.Established && first.Type == wire.TypeShutdownAck
	if p.Tag == 0 || en != nil && !lost {
		return
	}
	for c, err := range p.Chunks() {
		if err != nil {
			break
		}
		if c.Type == wire.TypeAbort {
			return
		}
	}
	back := wire.Header{SourcePort: p.DestinationPort, DestinationPort: p.SourcePort, Tag: p.Tag}
	switch first.Type {
	case wire.TypeShutdownComplete, wire.TypeCookieAck, wire.TypeInitAck:
		return
	case wire.TypeShutdownAck:
		e.replies.add(d.To, d.From, back, func(b []byte) []byte { return wire.AppendShutdownComplete(b, true) })
		return
	case wire.TypeError:
		if causes, err := wire.ParseError(first); err == nil && len(causes) >= 2 &&
			wire.CauseCode(binary.BigEndian.Uint16(causes)) == wire.CauseStaleCookie {
			return
		}
	}
	e.replies.add(d.To, d.From, back, func(b []byte) []byte { return wire.AppendAbort(b, true, nil) })
}

// Unreachable handles an ICMP report that a port is unreachable. quoted is the beginning of the
// packet to which the report refers (RFC 9260, section 10).
func (e *Endpoint) Unreachable(now time.Duration, to netip.AddrPort, quoted []byte) {
	const initTag = wire.HeaderSize + 4
	if len(quoted) < wire.HeaderSize || binary.BigEndian.Uint16(quoted) != e.host.Port {
		return
	}
	en := e.byPeer[peer{to, binary.BigEndian.Uint16(quoted[2:])}]
	if en == nil {
		return
	}
	tag, genuine := wire.VerificationTag(binary.BigEndian.Uint32(quoted[4:])), false
	switch {
	case tag != 0:
		genuine = tag == en.PeerTag()
	case len(quoted) >= initTag+4 && wire.ChunkType(quoted[wire.HeaderSize]) == wire.TypeInit:
		genuine = wire.VerificationTag(binary.BigEndian.Uint32(quoted[initTag:])) == en.LocalTag()
	}
	if genuine {
		en.Unreachable(now, to)
		e.touch(en)
	}
}

// Refused handles an ICMP report that a port is unreachable, of which it is known that it is about a packet of ours.
func (e *Endpoint) Refused(now time.Duration, to netip.AddrPort) {
	for p, en := range e.byPeer {
		if p.addr == to {
			en.Unreachable(now, to)
			e.touch(en)
		}
	}
}

// Denied notes that this host does not send packets to an address.
func (e *Endpoint) Denied(now time.Duration, to netip.AddrPort, why error) {
	for p, en := range e.byPeer {
		if p.addr == to {
			en.Denied(now, to, why)
			e.touch(en)
		}
	}
}

// TooBig notes that a packet to an address could not pass because it was larger
// than an MTU, in bytes of IP packet.
func (e *Endpoint) TooBig(now time.Duration, to netip.AddrPort, mtu int) {
	for p, en := range e.byPeer {
		if p.addr == to {
			en.TooBig(now, to, mtu)
			e.touch(en)
		}
	}
}
