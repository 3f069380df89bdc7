package assoc

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Receive handles a packet from the path from, which lies in buffer. The endpoint
// has verified its checksum and its tag (RFC 9260, section 8.5) and has handled
// INIT and COOKIE ECHO chunks; skip says that the first chunk was such a one.
//
// As is usual, the packet may have brought nothing but data, and nothing is to be sent. Then it is
// quiet: a SACK chunk becomes due at the deadline, and all else is as it was. marked says that the network
// has marked it.
func (a *Association) Receive(now time.Duration, from int, p *wire.Packet, buffer *packet.Buffer, marked, skip bool) (deadline time.Duration, quiet bool) {
	a.counted.packetsReceived++
	all, chunks := uint64(0), a.counted.chunks
	a.ecn.marked = marked && a.terms.features.Has(featureECN)
	for c, err := range p.Chunks() {
		if err != nil {
			break // section 6.10: what came before counts
		}
		all++
		if skip {
			skip = false
			continue
		}
		if !a.chunk(now, from, c, buffer) || a.state == Closed {
			break
		}
	}
	if a.tracker == nil {
		return never, false
	}
	taken := a.counted.chunks - chunks
	if taken > 0 && a.narrow() {
		a.tracker.Refuse() // not delayed
	}
	if a.host.Config.SparseAcks && p.Size() < a.paths[from].room()/smallShare {
		a.tracker.EndSmallPacket(now)
	} else {
		a.tracker.EndPacket(now)
	}
	if taken == all && a.idle(now) {
		return a.tracker.Deadline()
	}
	a.settle(now)
	return never, false
}

// Reflected handles the first chunk, an ABORT or SHUTDOWN COMPLETE chunk with the T bit, of
// a packet that carries the peer's tag. Nothing else of the packet counts, since that tag
// shows less than this end's: each packet to the peer has it.
func (a *Association) Reflected(c wire.Chunk) {
	a.counted.packetsReceived++
	if c.Type == wire.TypeAbort {
		a.aborted(c)
	} else {
		a.shutdownComplete(c)
	}
}

// smallShare is what part of a path's room a packet may take at most to be small. The eight
// packets that one SACK is then sent for at least are within the peer's initial window (RFC
// 9260, section 7.2.1), so that it never waits for one that is delayed.
const smallShare = 8

// chunk handles a chunk and reports whether to go on with the next.
func (a *Association) chunk(now time.Duration, from int, c wire.Chunk, buffer *packet.Buffer) bool {
	switch c.Type {
	case wire.TypeData:
		a.data(from, c, buffer)
	case wire.TypeIData:
		a.idata(from, c, buffer)
	case wire.TypeSACK:
		a.sack(now, from, c)
	case wire.TypeHeartbeat:
		a.heartbeatRequest(from, c)
	case wire.TypeHeartbeatAck:
		if a.state.Connected() {
			a.heartbeatAck(now, c)
		}
	case wire.TypeInitAck:
		a.initAck(now, from, c)
	case wire.TypeCookieAck:
		if wire.ParseCookieAck(c) == nil {
			a.cookieAck(now, from)
		}
	case wire.TypeAbort:
		if !c.Reflected() { // the tag is this end's
			a.aborted(c)
		}
		return false // section 3.3.7: nothing follows, even where it is malformed
	case wire.TypeError:
		a.errorChunk(now, from, c)
	case wire.TypeShutdown:
		a.shutdownChunk(now, from, c)
	case wire.TypeShutdownAck:
		a.shutdownAck(from, c)
	case wire.TypeShutdownComplete:
		a.shutdownComplete(c)
	case wire.TypeForwardTSN:
		a.forwardTSN(from, c)
	case wire.TypeIForwardTSN:
		a.iforwardTSN(from, c)
	case wire.TypeStreamCredit, wire.TypeStreamBlocked:
		switch {
		case !a.terms.features.Has(featureCredit):
			return a.unknown(from, c)
		case c.Type == wire.TypeStreamCredit:
			a.streamCredit(now, from, c)
		default:
			a.streamBlocked(from, c)
		}
	case wire.TypeECNE, wire.TypeCWR:
		if !a.terms.features.Has(featureECN) {
			return a.unknown(from, c)
		}
		a.congestion(now, from, c)
	case wire.TypeInit, wire.TypeCookieEcho:
		return false // only ever first in a packet
	case wire.TypePad:
	default:
		return a.unknown(from, c)
	}
	return true
}

// unknown handles a chunk of a type that this end does not know, as the type says.
func (a *Association) unknown(from int, c wire.Chunk) bool {
	action := c.Type.UnknownAction()
	if action.Report() && a.state.Connected() {
		a.report(from, wire.Causes(nil).AppendUnrecognizedChunk(c))
	}
	return !action.Stop()
}

// heartbeatRequest answers a HEARTBEAT chunk with what is in it, unless that is more
// than a packet on any path can carry.
func (a *Association) heartbeatRequest(from int, c wire.Chunk) {
	if info, err := wire.ParseHeartbeat(c); err == nil && a.state.Connected() {
		a.control(from, func(b []byte) []byte { return wire.AppendHeartbeatAck(b, info) })
	}
}

// sack handles a SACK chunk.
func (a *Association) sack(now time.Duration, from int, c wire.Chunk) {
	if !a.state.Connected() {
		return
	}
	s, err := wire.ParseSACK(c)
	if err != nil {
		a.fail(from, err)
		return
	}
	_, before := a.out.Buffered()
	progress, err := a.out.Sack(now, &s)
	if err != nil {
		a.fail(from, err)
		return
	}
	if _, outstanding := a.out.Buffered(); outstanding < before {
		a.carried(progress.Paths)
	}
	a.progressed(now, progress)
}

// errorChunk handles an ERROR chunk (RFC 9260, section 3.3.10). Only a stale cookie has an effect.
// Other errors can be read in a capture.
func (a *Association) errorChunk(now time.Duration, from int, c wire.Chunk) {
	causes, err := wire.ParseError(c)
	if err != nil {
		return
	}
	for cause := range causes.All() {
		if cause.Code == wire.CauseStaleCookie && a.state == CookieEchoed {
			a.staleCookie(now, from, cause)
		}
	}
}

// staleCookie begins the set-up again, asking for a cookie that lives longer (section
// 5.2.6). It counts as a try.
func (a *Association) staleCookie(now time.Duration, from int, cause wire.Cause) {
	s := a.setup
	s.stale++
	if s.stale > a.host.Config.InitRetransmissions {
		a.finish(socket.Event{Kind: socket.Lost, Err: socket.ErrUnreachable, Addr: a.addr(from)})
		return
	}
	staleness, err := cause.StaleCookie()
	if err != nil {
		return
	}
	s.preserve = min(staleness+s.timeout, maxPreserve)
	s.tries, s.cookie, s.errors = 0, nil, nil
	a.state, a.peerTag = CookieWait, 0
	a.armSetup(now)
}

// maxPreserve bounds the longer life that is asked for.
const maxPreserve = time.Minute

// aborted handles an ABORT chunk, whose tag the endpoint has verified.
func (a *Association) aborted(c wire.Chunk) {
	causes, err := wire.ParseAbort(c)
	if err != nil {
		return
	}
	abort := &socket.AbortError{Remote: true}
	for cause := range causes.All() {
		abort.Cause = uint16(cause.Code)
		if cause.Code == wire.CauseUserAbort || cause.Code == wire.CauseProtocolViolation {
			info := cause.Info()
			abort.Reason = string(info[:min(len(info), maxReason)])
		}
		break
	}
	kind := socket.Aborted
	switch {
	case !a.state.Connected():
		kind = socket.Lost // it never was Up
	case a.state == ShutdownAckSent && c.Reflected():
		// The peer's end is over and its SHUTDOWN COMPLETE has been lost.
		a.finish(socket.Event{Kind: socket.Closed})
		return
	}
	a.finish(socket.Event{Kind: kind, Err: abort, Addr: a.addr(a.primary)})
}
