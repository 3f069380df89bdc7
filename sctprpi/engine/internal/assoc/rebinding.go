package assoc

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// rebinding tests whether a peer now sends from another UDP port, as it does behind an address
// translator that has forgotten it (RFC 6951, section 5.4), or from another IP address, if a guard says that it is the peer.
//
// The right tag alone does not show that: a tag has 32 bits, and an attacker near the peer can
// guess it in less than an hour. So no packet from another port counts, whatever is in it. First
// the known port is tested. As long as it answers, the peer has not moved, and an attacker that
// guesses the tag learns nothing. After several tests without an answer a HEARTBEAT chunk with a
// nonce goes to the new port. The path moves when that is answered.
//
// With a guard packets count wherever they have come from, and the path moves in the same way: they may be copies, which
// were faster than what they are copies of.
type rebinding struct {
	// remote is where packets have come from, with the right tag, since the path was
	// last heard; the zero AddrPort if from no other port.
	remote netip.AddrPort
	// due: a HEARTBEAT chunk is to be sent there. nonce is what was in the last one,
	// 0 if there was none; it was sent at a time, and has until another to be answered.
	due         bool
	nonce       uint64
	sent, until time.Duration
}

// rebindingTimeouts is how many timeouts in a row on a path let another port be asked.
const rebindingTimeouts = 3

// Elsewhere handles that a packet with the right tag has come from an address at which there is no path. path is the one to the
// peer if a guard says that it is the peer's, else -1. Then the peer may have moved: see rebinding. What else is in the packet is for Receive.
func (a *Association) Elsewhere(now time.Duration, remote netip.AddrPort, p *wire.Packet, path int) {
	i := a.pathAt(remote.Addr())
	if i < 0 {
		i = path
	}
	if i < 0 || !a.state.Connected() {
		return
	}
	for c, err := range p.Chunks() {
		if err == nil && c.Type == wire.TypeHeartbeatAck && a.rebound(now, i, remote, c) {
			return
		}
	}
	r := &a.paths[i].rebinding
	if r.nonce == 0 || now >= r.until {
		r.remote, r.due, r.nonce = remote, false, 0
	}
	if !a.paths[i].beat.underWay && a.state.testsPaths() {
		a.sendBeat(now, i)
	}
	a.testRebinding(now, i)
}

// pathAt returns the number of the first path to an IP address, -1 if there is none.
func (a *Association) pathAt(addr netip.Addr) int {
	for i := range a.paths {
		if a.paths[i].remote.Addr() == addr {
			return i
		}
	}
	return -1
}

// testRebinding has another port asked, if packets have come from one and the path does
// not answer.
func (a *Association) testRebinding(now time.Duration, i int) {
	p := &a.paths[i]
	r := &p.rebinding
	if !r.remote.IsValid() || p.errors < rebindingTimeouts || r.nonce != 0 && now < r.until {
		return
	}
	r.due, r.nonce, r.sent = true, a.host.Random.Uint64()|1, now
	r.until = now + a.out.Path(tx.PathID(i)).RTO
}

// nextRebinding sends a HEARTBEAT chunk to another port of a path's address.
func (a *Association) nextRebinding(b *packet.Batch) bool {
	for i := range a.paths {
		r := &a.paths[i].rebinding
		if !r.due {
			continue
		}
		r.due = false
		a.openTo(b, i, r.remote, a.peerTag)
		var info [infoSize]byte
		b.Head = wire.AppendHeartbeat(b.Head, appendInfo(info[:0], r.nonce, i, purposeRebinding))
		b.End()
		return true
	}
	return false
}

// rebound moves a path to where a HEARTBEAT ACK chunk has come from, if that answers what
// was sent there, and reports whether it did.
func (a *Association) rebound(now time.Duration, i int, remote netip.AddrPort, c wire.Chunk) bool {
	p := &a.paths[i]
	info, ok := parseInfo(c)
	if !ok || info.purpose != purposeRebinding || info.path != i ||
		p.rebinding.nonce == 0 || info.nonce != p.rebinding.nonce || remote != p.rebinding.remote {
		return false
	}
	if remote.Addr() != p.remote.Addr() { // another way, which may be narrower
		search, narrow := a.host.newSearch(remote.Addr())
		if narrow {
			return false
		}
		search.Start(now)
		p.search, p.probe, p.headers = search, probe{}, a.host.headers(remote.Addr())
	}
	p.remote, a.verification.readdressed = remote, true
	a.resized(i)
	a.out.Moved(tx.PathID(i))
	a.answered(now, i, now-p.rebinding.sent)
	return true
}
