package guard

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// When the keys of a session are changed.
const (
	rekeyRecords = 1 << 23 // far below seal.Limit
	rekeyTime    = 2 * time.Minute
)

// A request that is not answered is repeated at intervals, which grow.
const (
	firstPause   = 250 * time.Millisecond
	longestPause = 4 * time.Second
)

// exchange is a handshake of the initiator: its request, when to repeat that, and how long to wait then.
type exchange struct {
	epoch     uint32
	handshake *seal.Handshake
	request   []byte
	due       time.Duration
	pause     time.Duration
}

// answered is a handshake of the other end, until the initiator is known to have the answer. due: it is to be sent.
type answered struct {
	due             bool
	epoch           uint32
	request, answer []byte
	send            *seal.Secret
}

// What a control datagram has: its kind, the epoch that is to be, and a message of the handshake.
const (
	request     byte = 1
	answer      byte = 2
	messageSize      = 1 + 4 + seal.MessageSize
)

func encode(kind byte, epoch uint32, message []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{kind}, epoch), message...)
}

// tend does for a session what is due when something is sent to an address.
func (g *Guard) tend(now time.Duration, s *session, to netip.AddrPort) {
	s.retire(now)
	if a := s.answered; a != nil && a.due {
		a.due = false
		g.post(s, a.answer, to)
	}
	if !s.initiator {
		return
	}
	if s.exchange == nil && s.overdue(now) {
		g.begin(now, s)
	}
	if x := s.exchange; x != nil && now >= x.due {
		x.due, x.pause = now+x.pause, min(2*x.pause, longestPause)
		g.post(s, x.request, to)
	}
}

// overdue reports whether a session should have new keys. The last ones are in use at both ends.
func (s *session) overdue(now time.Duration) bool {
	if s.sending.epoch != s.current.epoch || s.sending.epoch == maxEpoch {
		return false
	}
	return s.records >= rekeyRecords || s.send.Mode == seal.Encrypt && (s.sending.epoch == 0 || now-s.since >= rekeyTime)
}

// parties are the ends of a handshake for an epoch.
func (g *Guard) parties(s *session, epoch uint32) seal.Parties {
	p := seal.Parties{Initiator: s.send.From, Responder: s.send.To, Epoch: uint64(epoch)}
	if !s.initiator {
		p.Initiator, p.Responder = p.Responder, p.Initiator
	}
	return p
}

// begin begins a handshake for the next epoch.
func (g *Guard) begin(now time.Duration, s *session) {
	epoch := s.sending.epoch + 1
	if h, message, err := g.secret.Initiate(g.parties(s, epoch)); err == nil {
		s.exchange = &exchange{epoch: epoch, handshake: h, request: encode(request, epoch, message), due: now, pause: firstPause}
	}
}

// post has a message sent to the guard at an address.
func (g *Guard) post(s *session, message []byte, to netip.AddrPort) {
	if len(g.outgoing) >= maxOutgoing {
		return
	}
	b := append(make([]byte, headerSize, headerSize+len(message)+seal.TagSize), message...)
	if sealed, ok := g.seal(s, s.sending, true, b); ok {
		g.outgoing = append(g.outgoing, datagram{sealed, to})
	}
}

// handle handles a message of the peer's guard.
func (g *Guard) handle(s *session, message []byte) {
	if len(message) != messageSize {
		return
	}
	epoch := binary.BigEndian.Uint32(message[1:])
	switch {
	case message[0] == request && !s.initiator:
		g.respond(s, epoch, message)
	case message[0] == answer && s.initiator && s.exchange != nil && epoch == s.exchange.epoch:
		s.finish(epoch, message[messageSize-seal.MessageSize:])
	}
}

// respond has a request answered: one that is repeated in the same way. The answer goes where the socket sends something next, and not
// where the request has come from, which may be a copy.
func (g *Guard) respond(s *session, epoch uint32, message []byte) {
	if epoch != s.sending.epoch+1 || epoch > maxEpoch {
		return
	}
	if a := s.answered; a == nil || !bytes.Equal(a.request, message) {
		text, keys, err := g.secret.Respond(g.parties(s, epoch), message[messageSize-seal.MessageSize:])
		if err != nil {
			return
		}
		s.answered = &answered{epoch: epoch, request: bytes.Clone(message), answer: encode(answer, epoch, text), send: keys.Send}
		s.next = incoming{epoch, keys.Receive.Opener(at(s.receive, epoch))}
	}
	s.answered.due = true
}

// finish takes the answer. What this end sends from now on is of the next epoch.
func (s *session) finish(epoch uint32, message []byte) {
	keys, err := s.exchange.handshake.Finish(message)
	s.exchange = nil
	if err != nil {
		return
	}
	s.next = incoming{epoch, keys.Receive.Opener(at(s.receive, epoch))}
	s.sending = outgoing{epoch, keys.Send.Sealer(at(s.send, epoch))}
}
