package operations

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Told counts n messages to a peer, or things that are said of messages: see rpi.Snapshot. N is -1 if one is not sent after all.
func (t *Table) Told(peer matching.Rank, n int) { t.peers[peer].told += uint64(n) }

// Heard counts a message from a peer, or something that is said of one.
func (t *Table) Heard(peer matching.Rank) { t.peers[peer].heard++ }

// traffic is a number of messages, and how many bytes they have.
type traffic struct{ messages, bytes uint64 }

func (n *traffic) add(bytes uint64) {
	n.messages++
	n.bytes += bytes
}

func (n *traffic) remove(bytes uint64) {
	n.messages--
	n.bytes -= bytes
}

// SendBegins gives r, a send that begins, the sequence number of its message, and counts it.
func (t *Table) SendBegins(r *rpi.Request) {
	p := &t.peers[r.Peer]
	r.Transport.Seq = p.next.Next(r.Context)
	if r.Peer != t.Self {
		t.sent(p, r.Context, len(r.Buf))
	}
}

// sent counts a message of n bytes to a peer.
func (t *Table) sent(p *peer, c matching.Context, n int) {
	p.sent.add(uint64(n))
	if t.lengths != nil {
		t.lengths[rpi.Kind(c)].Sent.Add(uint64(n))
	}
}

// received counts a message from a peer.
func (t *Table) received(from matching.Rank, env *matching.Envelope) {
	t.peers[from].received.add(env.Length)
	if t.lengths != nil {
		t.lengths[rpi.Kind(env.Context)].Received.Add(env.Length)
	}
}

// Sendable returns where the messages to a peer in a context are counted (rpi.Sequences.Count), nil if none can be sent without a request: the
// peer is gone or this process itself, or the context is revoked.
func (t *Table) Sendable(peer matching.Rank, c matching.Context) *matching.Seq {
	p := &t.peers[peer]
	if t.Closed || peer == t.Self || p.failed != nil || t.revoked[c] {
		return nil
	}
	return p.next.Count(c)
}

// SentShort counts a message that has been sent without a request.
func (t *Table) SentShort(m rpi.Short) { t.sent(&t.peers[m.Peer], m.Context, len(m.Buf)) }

// Meet hands in a short message of a peer for which a receive is posted, and returns that, with its Status set: see matching.Engine.Meet. Nil
// means that nothing has happened.
func (t *Table) Meet(from matching.Rank, env *matching.Envelope) *rpi.Request {
	rcv := t.Match.Meet(from, env)
	if rcv == nil {
		return nil
	}
	r := rcv.Owner.(*rpi.Request)
	t.peers[from].heard++
	t.received(from, env)
	r.Status, r.Transport.Seq = rpi.StatusOf(from, env), env.Seq
	return r
}

// Receivable reports whether a message of one TRC can be received without a request: it would be the first that a receive gets, and may still
// come.
func (t *Table) Receivable(c matching.Context, from matching.Rank, tag matching.Tag) bool {
	return !t.Closed && !t.NoMoreReceives && from != t.Self && t.peers[from].failed == nil && !t.revoked[c] && t.Match.Quiet(c, from, tag)
}

// ReceivedShort hands in a short message of a peer that is received without a request: see matching.Engine.Pass. It returns false if nothing has
// happened.
func (t *Table) ReceivedShort(from matching.Rank, env *matching.Envelope) bool {
	if !t.Match.Pass(from, env) {
		return false
	}
	t.peers[from].heard++
	t.received(from, env)
	return true
}

// sendCancelled takes back what SendBegins has counted.
func (t *Table) sendCancelled(r *rpi.Request) {
	if r.Peer == t.Self {
		return
	}
	t.peers[r.Peer].sent.remove(uint64(len(r.Buf)))
	if t.lengths != nil {
		t.lengths[rpi.Kind(r.Context)].Sent.Remove(uint64(len(r.Buf)))
	}
}

// count enters what has been counted.
func (t *Table) count(s *rpi.Snapshot) {
	s.MostUnexpected = t.Match.MostUnexpected()
	if t.lengths != nil {
		lengths := *t.lengths
		s.Lengths = &lengths
	}
	for i := range t.peers {
		p := &t.peers[i]
		s.Sent += p.told
		s.Received += p.heard
		s.MessagesSent += p.sent.messages
		s.BytesSent += p.sent.bytes
		s.MessagesReceived += p.received.messages
		s.BytesReceived += p.received.bytes
		if p.failed != nil && !errors.Is(p.failed, rpi.ErrFinalized) {
			s.SentToDead += p.told
			s.ReceivedFromDead += p.heard
		}
	}
}
