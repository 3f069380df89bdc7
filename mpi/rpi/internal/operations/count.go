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

// SendBegins gives r, a send that begins, the sequence number of its message, and counts its bytes.
func (t *Table) SendBegins(r *rpi.Request) {
	p := &t.peers[r.Peer]
	r.Transport.Seq = p.sent.Next(r.Context)
	if r.Peer != t.Self {
		p.bytesSent += uint64(len(r.Buf))
	}
}

// sendCancelled takes back the bytes that SendBegins has counted.
func (t *Table) sendCancelled(r *rpi.Request) {
	if r.Peer != t.Self {
		t.peers[r.Peer].bytesSent -= uint64(len(r.Buf))
	}
}

// count enters what has been counted.
func (t *Table) count(s *rpi.Snapshot) {
	s.MostUnexpected = t.Match.MostUnexpected()
	for i := range t.peers {
		p := &t.peers[i]
		s.Sent += p.told
		s.Received += p.heard
		s.BytesSent += p.bytesSent
		s.BytesReceived += p.bytesReceived
		if p.failed != nil && !errors.Is(p.failed, rpi.ErrFinalized) {
			s.SentToDead += p.told
			s.ReceivedFromDead += p.heard
		}
	}
}
