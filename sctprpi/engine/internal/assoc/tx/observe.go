package tx

import "time"

// Stats returns the counters.
func (s *Sender) Stats() Stats { return s.stats }

// Path returns the state of a path.
func (s *Sender) Path(id PathID) PathStats {
	p := &s.paths[id]
	stats := p.stats
	stats.Window, stats.Flight = p.congestion.Window(), p.flight
	stats.RTO, stats.SRTT = p.rto.Timeout(), p.rto.SRTT()
	return stats
}

// Sample gives a path a round trip measured by other means, such as a HEARTBEAT
// chunk or the set-up of the association, of a packet that was sent only once.
func (s *Sender) Sample(id PathID, rtt time.Duration) { s.paths[id].rto.Sample(rtt) }

// Backoff doubles the timeout of a path after a HEARTBEAT chunk went unanswered
// (RFC 9260, section 8.3).
func (s *Sender) Backoff(id PathID) { s.paths[id].rto.Backoff() }

// Buffered returns how many bytes of user data wait to be sent, and how many have
// been sent but not acknowledged cumulatively.
func (s *Sender) Buffered() (queued, outstanding int) {
	return s.queue.queued, s.unacked
}

// PeerWindow returns the peer's receive window as last heard, in bytes.
func (s *Sender) PeerWindow() int { return s.window.advertised }
