package tx

import "time"

// peerWindow is what is known of the peer's receive buffer (RFC 9260, sections
// 6.1, rule A, and 6.2.1), in bytes of user data.
type peerWindow struct {
	// advertised is the last a_rwnd, largest the largest of them, inFlight
	// what is in flight on all paths: the rwnd of the RFC is the difference,
	// and cannot wrap.
	advertised, largest, inFlight int
	// chunks counts those in flight.
	chunks int
	probe  windowProbe
}

// windowProbe is the zero window probe: a chunk sent into a closed window now and then, to
// hear when it opens.
type windowProbe struct {
	// at is when one is due, never if none is; due: the next chunk is one.
	at  time.Duration
	due bool
	// open: one is outstanding. heard: a SACK has come since it was sent, so the peer
	// is alive and merely full.
	open, heard bool
	sent        int // since the window closed
}

// noProbe: none is due.
var noProbe = windowProbe{at: never}

// send notes that a chunk is sent: the probe, if one is open.
func (p *windowProbe) send() {
	if p.open {
		p.sent++
		p.heard = false
	} else {
		p.sent = 0
	}
}

// backoff stretches a timeout once for each probe sent.
func (p *windowProbe) backoff(timeout, limit time.Duration) time.Duration {
	for range p.sent {
		if timeout >= limit {
			return limit
		}
		timeout *= 2
	}
	return min(timeout, limit)
}

func (w *peerWindow) update(advertised uint32) {
	w.advertised = int(min(int64(advertised), maxWindow))
	w.largest = max(w.largest, w.advertised)
	w.probe.heard = true
}

// maxWindow keeps sums within an int where that has 32 bits.
const maxWindow = 1 << 30

// chunkCharge is what a chunk in flight counts at least, on average. The window is in
// bytes of user data, but what a receiver has is memory, of which a tiny chunk takes
// more: many at once would find no room and count as lost.
const chunkCharge = 256

// room returns how many bytes of user data the peer can take.
func (w *peerWindow) room() int {
	charge := w.inFlight
	if w.chunks > 0 { // a lone chunk may use whatever window there is
		charge = max(charge, chunkCharge*(w.chunks+1))
	}
	return max(w.advertised-charge, 0)
}

// fit returns how much of a payload of n bytes may be sent, all or some, or 0.
// To avoid the silly window syndrome, payloads are cut to fit the window only
// when it is at least half of the largest that the peer has ever offered, as
// RFC 1122, section 4.2.3.4, has it.
func (w *peerWindow) fit(n int) int {
	room := w.room()
	if n <= room {
		return n
	}
	if 2*room >= w.largest {
		return room
	}
	return 0
}
