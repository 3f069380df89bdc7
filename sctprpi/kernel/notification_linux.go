package kernel

import (
	"encoding/binary"
	"fmt"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Notifications (RFC 6458, section 6.1).
const (
	noteAssocChange     = 0x8001
	notePeerAddrChange  = 0x8002
	noteShutdown        = 0x8005
	notePartialDelivery = 0x8006

	assocChangeSize     = 20
	peerAddrChangeSize  = 148
	shutdownSize        = 12
	partialDeliverySize = 24
)

// States of an association change, and of a peer's address.
const (
	commUp = iota
	commLost
	restart
	shutdownComplete
	cannotStart
)

const (
	addrAvailable = iota
	addrUnreachable
)

// heed makes events of a record.
func (e *endpoint) heed(r *record) {
	if !r.notification {
		e.heedData(r)
		return
	}
	rest := e.reader.skipping
	e.reader.skipping = !r.end
	if rest || len(r.payload) < 8 {
		return
	}
	b := r.payload
	at := func(offset int) uint32 { return binary.NativeEndian.Uint32(b[offset:]) }
	find := func(offset int) *association { return e.assocs[socket.AssocID(at(offset))] }
	switch kind := binary.NativeEndian.Uint16(b); {
	case kind == noteAssocChange && len(b) >= assocChangeSize:
		e.heedChange(r)
	case kind == notePeerAddrChange && len(b) >= peerAddrChangeSize:
		if a := find(144); a != nil {
			e.heedPath(a, b[8:], at(136))
		}
	case kind == noteShutdown && len(b) >= shutdownSize:
		if a := find(8); a != nil && !a.peerLeaving {
			e.letGo(a)
			a.peerLeaving = true
			e.push(a, socket.Event{Kind: socket.PeerShutdown})
		}
	case kind == notePartialDelivery && len(b) >= partialDeliverySize:
		if a := find(12); a != nil {
			unordered := binary.NativeEndian.Uint16(b[2:])&rcvUnordered != 0
			e.breakOff(a, partialKey{socket.StreamID(at(16)), unordered})
		}
	}
}

// heedPath heeds that an address of the peer does not answer, or does again.
func (e *endpoint) heedPath(a *association, addr []byte, state uint32) {
	kind := socket.PathUp
	if state <= addrUnreachable {
		a.silent = state == addrUnreachable
	}
	switch {
	case !a.up, state > addrUnreachable:
		return
	case state == addrUnreachable:
		kind = socket.PathDown
	}
	ip, _ := parseSockaddr(addr)
	e.push(a, socket.Event{Kind: kind, Addr: socket.Addr{IP: ip.Addr(), Port: ip.Port(), UDP: a.peerUDP}})
}

// heedChange heeds that an association has begun, begun anew, or ended.
func (e *endpoint) heedChange(r *record) {
	b := r.payload
	u16 := binary.NativeEndian.Uint16
	id := socket.AssocID(binary.NativeEndian.Uint32(b[16:]))
	state, cause := u16(b[8:]), binary.BigEndian.Uint16(b[10:])
	a := e.assocs[id]
	if a == nil {
		if state != commUp {
			return // of one that was refused
		}
		if e.full() {
			e.reader.refused = append(e.reader.refused, refusal{id, "too many associations"})
			return
		}
		a = e.add(id)
		e.await(a, r.peer)
	}
	switch state {
	case commUp:
		a.out, a.in = int(u16(b[12:])), int(u16(b[14:]))
		e.heedUp(a, r.peer)
	case restart:
		a.out, a.in = int(u16(b[12:])), int(u16(b[14:]))
		e.letGo(a)
		a.order = ordering{}
		a.forgetPartials()
		a.backlog, a.backlogged, a.peerLeaving = nil, 0, false
		e.push(a, socket.Event{Kind: socket.Restarted, Addr: r.peer})
		e.unblock(a)
	case commLost, cannotStart:
		e.end(a, e.lost(a, state, cause, b[assocChangeSize:]))
	case shutdownComplete:
		e.end(a, socket.Event{Kind: socket.Closed})
	}
}

// heedUp heeds that an association can be used.
func (e *endpoint) heedUp(a *association, peer socket.Addr) {
	if a.up {
		return
	}
	a.open, a.up, a.peerUDP = true, true, peer.UDP
	e.push(a, socket.Event{Kind: socket.Up, Addr: peer})
	for _, owner := range a.owed {
		e.release(a, owner)
	}
	a.owed = nil
	e.reader.opened = append(e.reader.opened, a)
}

// lost says why an association has ended that was not shut down. Causes are those of
// the peer's ABORT, if there were any.
func (e *endpoint) lost(a *association, state, cause uint16, causes []byte) socket.Event {
	var abort *socket.AbortError
	switch {
	case state == commLost && len(causes) >= causeHeader:
		abort = remoteAbort(causes)
	case a.abort != nil:
		abort = a.abort
	case state == commLost && cause != 0:
		abort = &socket.AbortError{Cause: cause, Reason: "the peer has broken the protocol"}
	case cause != 0:
		return socket.Event{Kind: socket.Lost, Err: &socket.AbortError{Remote: true, Cause: cause}}
	case a.silent && e.config.PeerTimeout > 0:
		return socket.Event{Kind: socket.Lost, Err: fmt.Errorf("%w for about %v", socket.ErrSilent, e.config.PeerTimeout)}
	default:
		// The kernel does not tell a timeout from an ABORT that names no cause,
		// which is what one gets who knocks where nobody is.
		return socket.Event{Kind: socket.Lost, Err: fmt.Errorf("%w, or knows of no association", socket.ErrUnreachable)}
	}
	return socket.Event{Kind: socket.Aborted, Err: abort}
}

const causeHeader = 4

// remoteAbort reads the causes of an ABORT (RFC 9260, section 3.3.10), of which the
// first counts.
func remoteAbort(causes []byte) *socket.AbortError {
	err := &socket.AbortError{Remote: true, Cause: binary.BigEndian.Uint16(causes)}
	if n := int(binary.BigEndian.Uint16(causes[2:])); n >= causeHeader && n <= len(causes) {
		err.Reason = string(causes[causeHeader:n])
	}
	return err
}
