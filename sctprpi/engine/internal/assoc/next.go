package assoc

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// Next puts the next packet to be sent into a batch and reports whether there was
// one. Packets refer to messages, which must not be given back before the batch has
// been sent: see Collect.
func (a *Association) Next(now time.Duration, b *packet.Batch) bool {
	switch {
	case a.farewell.chunk != nil:
		a.nextFarewell(b)
	case a.state == Closed:
		return false
	case a.setup != nil:
		if !a.setup.due {
			return false
		}
		a.nextSetup(b)
	case a.idle(now):
		return false
	default:
		a.queueCredits()
		a.queueAnswer()
		if !a.nextData(now, b) && !a.nextControl(now, b) && !a.nextRebinding(b) && !a.nextProbe(now, b) {
			return false
		}
	}
	a.counted.packetsSent++
	return true
}

// idle reports whether there is surely no packet to be sent, as is usual after one has been
// sent or has come. To look for one takes ten times as long.
func (a *Association) idle(now time.Duration) bool {
	if a.state != Established || !a.out.Idle() || a.tracker.Due(now) || a.in.CreditDue() || a.out.Asking() || a.ecn.answering {
		return false
	}
	for i := range a.paths {
		p := &a.paths[i]
		if len(p.control) > 0 || p.probe.due || p.rebinding.due || a.discovery.begun && p.up() && p.search.Due(now) {
			return false
		}
	}
	return true
}

// open begins a packet to a path.
func (a *Association) open(b *packet.Batch, i int, tag wire.VerificationTag) {
	a.openTo(b, i, a.paths[i].remote, tag)
}

// openTo begins a packet to an address, sent from where those to a path are. A peer with an SCTP
// port that is not its UDP port may be a kernel, and Linux 6.1 panics when a GSO batch comes to
// its port for SCTP in UDP undivided, as over loopback.
func (a *Association) openTo(b *packet.Batch, i int, remote netip.AddrPort, tag wire.VerificationTag) {
	b.Begin(packet.Packet{From: a.paths[i].local, To: remote, NoGSO: remote.Port() != a.peerPort})
	b.Head = wire.AppendHeader(b.Head, wire.Header{
		SourcePort: a.host.Port, DestinationPort: a.peerPort, Tag: tag,
	})
}

// close ends the packet that open began. If it is larger than the path's MTU it goes in fragments
// of IP.
func (a *Association) close(b *packet.Batch, i int) {
	closeWithin(b, a.paths[i].room()+wire.HeaderSize)
}

// closeSurely is close for what is sent while the path's MTU may not be known yet, and
// would not be sent again smaller.
func (a *Association) closeSurely(b *packet.Batch, i int) {
	closeWithin(b, a.host.SurePacket(a.paths[i].remote.Addr()))
}

func closeWithin(b *packet.Batch, size int) {
	if b.Size() > size {
		b.Fragment()
	}
	b.End()
}

// nextSetup sends the INIT or COOKIE ECHO chunk.
func (a *Association) nextSetup(b *packet.Batch) {
	s := a.setup
	s.due = false
	if a.state == CookieWait {
		a.open(b, s.path, 0)
		init := a.Init(a.paths[s.path].remote.Addr())
		init.Params = a.host.AppendMultipath(a.host.AppendStreamLimit(init.Params))
		if s.preserve > 0 {
			init.Params = init.Params.AppendCookiePreservative(s.preserve)
		}
		b.Head = wire.AppendInit(b.Head, &init)
	} else {
		a.open(b, s.path, a.peerTag)
		b.Head = wire.AppendCookieEcho(b.Head, s.cookie)
		if len(s.errors) > 0 {
			b.Head = wire.AppendError(b.Head, s.errors)
		}
	}
	a.closeSurely(b, s.path)
}

// nextData sends a packet with DATA or I-DATA chunks, and what else waits for the
// path.
func (a *Association) nextData(now time.Duration, b *packet.Batch) bool {
	if !a.state.sendsData() {
		return false
	}
	if a.multipath() {
		if open := a.openPaths(); open != 0 {
			return a.nextDataOnAny(now, b, open)
		}
	}
	if last, lost := a.out.Retransmission(); lost {
		if i := a.resendPath(int(last)); a.nextDataOn(now, b, i) {
			return true
		}
	}
	return a.nextDataOn(now, b, a.dataPath())
}

// nextDataOnAny is nextData on whichever of several paths is best.
func (a *Association) nextDataOnAny(now time.Duration, b *packet.Batch, open tx.PathSet) bool {
	for open != 0 {
		i, some := a.out.Choose(now, open)
		if !some {
			return false
		}
		if a.nextDataOn(now, b, int(i)) {
			return true
		}
		open &^= 1 << i
	}
	return false
}

func (a *Association) nextDataOn(now time.Duration, b *packet.Batch, i int) bool {
	p := &a.paths[i]
	sack := a.sackRoom(i)
	rest := len(p.control) + sack
	chunks := a.out.Next(a.host.chunks[:0], now, tx.PathID(i), max(p.room()-rest, 0))
	alone := len(chunks) == 0 && rest > 0
	if alone { // it may fit without the rest, which goes in the next packet
		chunks = a.out.Next(chunks, now, tx.PathID(i), p.room())
	}
	a.host.chunks = chunks
	if len(chunks) == 0 {
		return false
	}
	a.open(b, i, a.peerTag)
	if a.out.Markable() && (alone || !p.plain) {
		b.Markable()
	}
	if !alone {
		a.appendControl(b, p)
		if sack > 0 {
			a.appendSACK(b, sack)
		}
	}
	a.closeData(now, b, i)
	return true
}

// closeData ends the packet that open began by the chunks that tx has given.
func (a *Association) closeData(now time.Duration, b *packet.Batch, i int) {
	for c := range a.host.chunks {
		a.appendChunk(b, &a.host.chunks[c])
	}
	if a.terms.features.Has(featureUnchecked) {
		b.Unchecked()
	}
	a.close(b, i)
	a.paths[i].beat.used = now
}

// smallPayload is up to what length a payload is copied after all: a gather list's
// element costs about as much as copying that many bytes.
const smallPayload = 512

func (a *Association) appendChunk(b *packet.Batch, c *tx.Chunk) {
	b.Head = c.AppendHeader(b.Head)
	a.host.views = c.AppendPayload(a.host.views[:0])
	if c.Len() <= smallPayload {
		for _, v := range a.host.views {
			b.Head = append(b.Head, v...)
		}
	} else {
		b.Payload(a.host.views...)
	}
	b.Head = wire.AppendPadding(b.Head, c.Len())
}

// sackRoom returns what a SACK chunk may take of a packet to a path that has data in
// it too, 0 if it should have none.
func (a *Association) sackRoom(i int) int {
	switch {
	case i != a.ackPath || !a.tracker.Pending():
		return 0
	case a.tracker.Gaps():
		return 4*sackReserve + a.echoSize()
	}
	return sackReserve/4 + a.echoSize()
}

func (a *Association) appendSACK(b *packet.Batch, room int) {
	if a.ecn.echoing { // before the SACK chunk, with which the peer forgets where the TSN has been sent
		b.Head = wire.AppendECNE(b.Head, a.ecn.lowest)
	}
	sack := a.tracker.SACK(room-a.echoSize(), a.window())
	a.rwnd.advertised = sack.Window
	b.Head = wire.AppendSACK(b.Head, &sack)
}

func (a *Association) appendControl(b *packet.Batch, p *path) {
	b.Head = append(b.Head, p.control...)
	p.control, p.plain = p.control[:0], false
	if cap(p.control) > keptControl {
		p.control = nil
	}
}

// keptControl bounds the memory that a path keeps for control chunks.
const keptControl = 256

// nextControl sends a packet without data.
func (a *Association) nextControl(now time.Duration, b *packet.Batch) bool {
	sack := a.tracker.Due(now)
	if a.shutdown.due {
		a.nextShutdown(now, b)
		return true
	}
	for i := range a.paths {
		p := &a.paths[i]
		if len(p.control) == 0 && !(sack && i == a.ackPath) {
			continue
		}
		a.open(b, i, a.peerTag)
		a.appendControl(b, p)
		if sack && i == a.ackPath {
			a.appendSACK(b, p.room()+wire.HeaderSize-b.Size())
		}
		a.close(b, i)
		return true
	}
	return false
}

// nextShutdown sends a SHUTDOWN chunk, with a SACK chunk if data has come in between
// (RFC 9260, section 9.2), after what else waits for the path: a COOKIE ACK chunk must
// not come later.
func (a *Association) nextShutdown(now time.Duration, b *packet.Batch) {
	a.shutdown.due = false
	i := a.dataPath()
	a.open(b, i, a.peerTag)
	a.appendControl(b, &a.paths[i])
	if a.tracker.Pending() {
		a.appendSACK(b, a.paths[i].room()+wire.HeaderSize-b.Size()-shutdownSize)
		a.armShutdown(now, false)
	}
	b.Head = wire.AppendShutdown(b.Head, a.tracker.CumulativeTSN())
	a.close(b, i)
}

// shutdownSize is what a SHUTDOWN chunk takes.
const shutdownSize = 8

// nextProbe sends a probe for a path's MTU: a HEARTBEAT chunk padded to a size (RFC
// 8899, section 6.2.1).
func (a *Association) nextProbe(now time.Duration, b *packet.Batch) bool {
	if !a.state.testsPaths() {
		return false
	}
	for i := range a.paths {
		a.probeMTU(now, i)
		p := &a.paths[i]
		if !p.probe.due {
			continue
		}
		p.probe.due, p.probe.sent = false, now
		a.open(b, i, a.peerTag)
		var info [infoSize]byte
		b.Head = wire.AppendHeartbeat(b.Head, appendInfo(info[:0], p.probe.nonce, i, purposeMTU))
		for rest := p.probe.size - p.headers + wire.HeaderSize - b.Size(); rest >= 4; {
			pad := min(rest&^3, maxPad)
			b.Head = wire.AppendPad(b.Head, pad)
			rest -= pad
		}
		b.End()
		return true
	}
	return false
}

// maxPad is the largest PAD chunk.
const maxPad = 65_532
