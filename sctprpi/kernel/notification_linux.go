package kernel

import (
	"encoding/binary"
	"fmt"

	"github.com/ishidawataru/sctp"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Notifications (RFC 6458, section 6.1). The module defines only their header.
type (
	assocChange struct {
		sctp.NotificationHeader
		State             sctp.SCTPState
		Cause             [2]byte // network order
		Outbound, Inbound uint16
		Assoc             int32
		// The causes of an ABORT follow.
	}
	peerAddrChange struct {
		sctp.NotificationHeader
		Addr         storage
		State, Error int32
		Assoc        int32
	}
	shutdownEvent struct {
		sctp.NotificationHeader
		Assoc int32
	}
	partialDelivery struct {
		sctp.NotificationHeader
		Indication       uint32
		Assoc            int32
		Stream, Sequence uint32
	}
)

// States of a peer's address. The module does not define them.
const (
	addrAvailable = iota
	addrUnreachable
)

// decode reads a struct at the beginning of b, and returns the bytes behind it. ok is false if b is
// too short.
func decode[T any](b []byte) (v T, rest []byte, ok bool) {
	n, err := binary.Decode(b, binary.NativeEndian, &v)
	return v, b[n:], err == nil
}

// handle makes events of a record.
func (e *endpoint) handle(r *record) {
	if !r.notification {
		e.handleData(r)
		return
	}
	rest := e.reader.skipping
	e.reader.skipping = !r.end
	if !rest {
		e.handleNotification(r)
	}
}

func (e *endpoint) handleNotification(r *record) {
	header, _, _ := decode[sctp.NotificationHeader](r.payload)
	switch sctp.SCTPNotificationType(header.Type) {
	case sctp.SCTP_ASSOC_CHANGE:
		if n, causes, ok := decode[assocChange](r.payload); ok {
			e.handleAssocChange(n, causes, r.peer)
		}
	case sctp.SCTP_PEER_ADDR_CHANGE:
		n, _, ok := decode[peerAddrChange](r.payload)
		if a := e.assocs[socket.AssocID(n.Assoc)]; ok && a != nil {
			e.handlePeerAddrChange(a, n)
		}
	case sctp.SCTP_SHUTDOWN_EVENT:
		n, _, ok := decode[shutdownEvent](r.payload)
		if a := e.assocs[socket.AssocID(n.Assoc)]; ok && a != nil && !a.peerLeaving {
			e.letGo(a)
			a.peerLeaving = true
			e.push(a, socket.Event{Kind: socket.PeerShutdown})
		}
	case sctp.SCTP_PARTIAL_DELIVERY_EVENT:
		n, _, ok := decode[partialDelivery](r.payload)
		if a := e.assocs[socket.AssocID(n.Assoc)]; ok && a != nil {
			e.breakOff(a, partialKey{socket.StreamID(n.Stream), n.Flags&sctp.SCTP_UNORDERED != 0})
		}
	}
}

// handlePeerAddrChange handles the news that an address of the peer does not answer, or answers
// again.
func (e *endpoint) handlePeerAddrChange(a *association, n peerAddrChange) {
	kind := socket.PathUp
	if n.State <= addrUnreachable {
		a.silent = n.State == addrUnreachable
	}
	switch {
	case !a.up, n.State > addrUnreachable:
		return
	case n.State == addrUnreachable:
		kind = socket.PathDown
	}
	ip, _ := parseSockaddr(n.Addr[:])
	e.push(a, socket.Event{Kind: kind, Addr: socket.Addr{IP: ip.Addr(), Port: ip.Port(), UDP: a.peerUDP}})
}

// handleAssocChange handles the news that an association has begun, restarted or ended. causes are
// those of the peer's ABORT, if it has sent one.
func (e *endpoint) handleAssocChange(n assocChange, causes []byte, peer socket.Addr) {
	id := socket.AssocID(n.Assoc)
	a := e.assocs[id]
	if a == nil {
		if n.State != sctp.SCTP_COMM_UP {
			return // of an association that was refused
		}
		if e.full() {
			e.reader.refused = append(e.reader.refused, refusal{id, "too many associations"})
			return
		}
		a = e.add(id)
		e.addUnauthenticated(a, peer)
	}
	switch n.State {
	case sctp.SCTP_COMM_UP:
		a.out, a.in = int(n.Outbound), int(n.Inbound)
		e.handleUp(a, peer)
	case sctp.SCTP_RESTART:
		a.out, a.in = int(n.Outbound), int(n.Inbound)
		e.letGo(a)
		a.order = ordering{}
		a.forgetPartials()
		a.backlog, a.backlogged, a.peerLeaving = nil, 0, false
		e.push(a, socket.Event{Kind: socket.Restarted, Addr: peer})
		e.unblock(a)
	case sctp.SCTP_COMM_LOST, sctp.SCTP_CANT_STR_ASSOC:
		e.end(a, e.lost(a, n.State, binary.BigEndian.Uint16(n.Cause[:]), causes))
	case sctp.SCTP_SHUTDOWN_COMP:
		e.end(a, socket.Event{Kind: socket.Closed})
	}
}

// handleUp handles the news that an association can be used.
func (e *endpoint) handleUp(a *association, peer socket.Addr) {
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
	e.watch()
}

// lost returns the event for an association that has ended without a shutdown. causes are those of
// the peer's ABORT, if there were any.
func (e *endpoint) lost(a *association, state sctp.SCTPState, cause uint16, causes []byte) socket.Event {
	var abort *socket.AbortError
	switch {
	case state == sctp.SCTP_COMM_LOST && len(causes) >= causeHeader:
		abort = remoteAbort(causes)
	case a.abort != nil:
		abort = a.abort
	case a.silenced:
		return socket.Event{Kind: socket.Lost, Err: fmt.Errorf("%w for %v", socket.ErrSilent, e.config.PeerTimeout)}
	case state == sctp.SCTP_COMM_LOST && cause != 0:
		abort = &socket.AbortError{Cause: cause, Reason: "the peer has broken the protocol"}
	case cause != 0:
		return socket.Event{Kind: socket.Lost, Err: &socket.AbortError{Remote: true, Cause: cause}}
	case a.silent && e.config.PeerTimeout > 0:
		return socket.Event{Kind: socket.Lost, Err: fmt.Errorf("%w for about %v", socket.ErrSilent, e.config.PeerTimeout)}
	default:
		// The kernel does not distinguish a timeout from an ABORT without a cause, which is the
		// answer of a host without a socket at the port.
		return socket.Event{Kind: socket.Lost, Err: fmt.Errorf("%w, or knows of no association", socket.ErrUnreachable)}
	}
	return socket.Event{Kind: socket.Aborted, Err: abort}
}

const causeHeader = 4

// remoteAbort reads the causes of an ABORT (RFC 9260, section 3.3.10). Only the first one counts.
func remoteAbort(causes []byte) *socket.AbortError {
	err := &socket.AbortError{Remote: true, Cause: binary.BigEndian.Uint16(causes)}
	if n := int(binary.BigEndian.Uint16(causes[2:])); n >= causeHeader && n <= len(causes) {
		err.Reason = string(causes[causeHeader:min(n, causeHeader+maxReason)])
	}
	return err
}
