package guard

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/budget"
)

// session is what two sockets share. The Guard's lock guards it.
type session struct {
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
	// addrs are where the peer was heard last, at which it had not said to be: a ring.
	addrs [8]netip.AddrPort
	moves int
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
// The lock is held.
func (g *Guard) session(peer seal.ID, mode seal.Mode, suite seal.Suite) *session {
	s := g.sessions[peer]
	if s == nil {
		terms := seal.Terms{From: g.own.ID, To: peer, Mode: mode, Suite: suite}
		s = &session{send: terms, sending: outgoing{0, g.secret.Sealer(terms)}, initiator: g.own.ID.Less(peer), tries: budget.New(peerMost, peerRate)}
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

// came notes where the peer was heard, and returns which of these addresses is forgotten for that.
func (s *session) came(from netip.AddrPort) (old netip.AddrPort) {
	i := s.moves % len(s.addrs)
	old, s.addrs[i] = s.addrs[i], from
	s.moves++
	return old
}
