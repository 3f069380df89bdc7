package guard

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/budget"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// session is what two sockets share. The Guard's lock guards it.
type session struct {
	// number is the session's alone, from 1 on.
	number uint64
	// send and receive are the terms of the records of both directions, without the epoch. What the peer sends is known
	// once one of its records has come.
	send, receive seal.Terms
	// sending is the key of what this end sends.
	sending outgoing
	// Those of what the peer sends: current has no opener until something has come, next until there has been a
	// handshake. previous counts until a time.
	previous, current, next incoming
	until                   time.Duration
	// since is when the peer was first heard in the current epoch, records counts what has been sealed and tried since.
	since   time.Duration
	records int

	initiator bool
	tries     budget.Budget // until something has come
	exchange  *exchange     // of the initiator
	answered  *answered     // of the other end
	// home is the first address that the peer has published, if it has been looked up.
	home netip.AddrPort
	// addrs are where datagrams of the peer have come from last, at which it had not said to be. moves counts them.
	addrs [8]heard
	moves int
}

// heard is an address that datagrams have come from. answered: something has been sent there since.
type heard struct {
	addr     netip.AddrPort
	answered bool
}

// outgoing is a key to seal with, and incoming one to open with, with their epochs.
type outgoing struct {
	epoch  uint32
	sealer *seal.Sealer
}

type incoming struct {
	epoch  uint32
	opener *seal.Opener
}

// grace is how long datagrams of an epoch count that were overtaken by one of the next.
const grace = 3 * time.Second

// session returns the session of a peer, which it makes if there is none: with it, the only sealer of epoch 0 for the peer.
func (g *Guard) session(peer seal.ID, mode seal.Mode, suite seal.Suite) *session {
	s := g.sessions[peer]
	if s == nil {
		terms := seal.Terms{From: g.own.ID, To: peer, Mode: mode, Suite: suite}
		s = &session{number: uint64(len(g.sessions)) + 1, send: terms, sending: outgoing{0, g.secret.Sealer(terms)}, initiator: g.own.ID.Less(peer), tries: budget.New(peerMost, peerRate)}
		g.sessions[peer] = s
	}
	return s
}

// opener returns the opener for a datagram, nil if its epoch does not count, or its mode or suite is another one.
func (s *session) opener(now time.Duration, h *header) *seal.Opener {
	s.retire(now)
	switch {
	case h.mode != s.receive.Mode || h.suite != s.receive.Suite:
		return nil
	case h.epoch == s.current.epoch:
		return s.current.opener
	case s.next.opener != nil && h.epoch == s.next.epoch:
		return s.next.opener
	case h.epoch == s.previous.epoch:
		return s.previous.opener // nil if there is none
	}
	return nil
}

// retire forgets the previous epoch when its time is over.
func (s *session) retire(now time.Duration) {
	if s.previous.opener != nil && now >= s.until {
		s.previous = incoming{}
	}
}

// advance takes in that the peer seals with the keys of the next epoch.
func (s *session) advance(now time.Duration) {
	s.previous, s.until = s.current, now+grace
	s.current, s.next = s.next, incoming{}
	s.since, s.records = now, 0
	if a := s.answered; a != nil { // so it has our answer
		s.sending = outgoing{a.epoch, a.send.Sealer(at(s.send, a.epoch))}
		s.answered = nil
	}
}

// at returns terms in an epoch.
func at(t seal.Terms, epoch uint32) seal.Terms {
	t.Epoch = uint64(epoch)
	return t
}

// sender says whose a datagram is that has come from an address with a route.
func (s *session) sender(from netip.AddrPort, r route) socket.Sender {
	if s.home.IsValid() && r != (route{s, true}) {
		from = s.home // it may be a copy
	}
	return socket.Sender{ID: s.number, At: from}
}

// came notes where a datagram of the peer has come from, and returns which of these addresses is forgotten for that: one that nothing
// was sent to, if there is one, so that copies from many addresses do not have this end forget where the peer is.
func (s *session) came(from netip.AddrPort) (old netip.AddrPort) {
	at := s.moves % len(s.addrs)
	s.moves++
	for i := range s.addrs {
		if next := (at + i) % len(s.addrs); !s.addrs[next].answered {
			at = next
			break
		}
	}
	if s.addrs[at].answered { // all are
		for i := range s.addrs {
			s.addrs[i].answered = false
		}
	}
	old, s.addrs[at] = s.addrs[at].addr, heard{addr: from}
	return old
}

// answers notes that something is sent to an address that the peer has not published.
func (s *session) answers(to netip.AddrPort) {
	for i := range s.addrs {
		if s.addrs[i].addr == to {
			s.addrs[i].answered = true
			return
		}
	}
}
