package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// Delivery is what a SACK tells of how fast a path delivers: a rate sample ([draft-ietf-ccwg-bbr-06], section 4.1), taken from the chunk
// sent last of those it acknowledged. Sizes are in bytes of chunks, as in Controller.
//
// [draft-ietf-ccwg-bbr-06]: https://www.ietf.org/archive/id/draft-ietf-ccwg-bbr-06.html
type Delivery struct {
	Now time.Duration
	// Rate is in bytes per second, 0 without a sample, and Volume what was delivered in its interval.
	Rate   float64
	Volume int
	// Limited says that the sample may be low because there was not enough to send.
	Limited bool
	// Acked were acknowledged by this SACK, Total on the path so far. Prior was Total when the sample's chunk was sent, Sent what was in
	// flight then, with it, and Lost what has been lost since.
	Acked        int
	Total, Prior uint64
	Sent, Lost   int
	// Flight is in flight after the SACK, and Peak was before it, when the path was last asked for a packet.
	Flight, Peak int
	// SRTT is 0 when not yet measured; RTT is of the sample's chunk, 0 if it had been sent before.
	SRTT, RTT time.Duration
	// Recovery says that the path is in fast recovery, Repairing that chunks wait to be sent again.
	Recovery, Repairing bool
}

// Loss is a chunk that is taken for lost.
type Loss struct {
	Now time.Duration
	TSN wire.TSN
	// Size is that of the chunk. Sent was in flight when it was sent, with it, and Lost has been lost since, also with it. Total is what
	// the path has delivered so far.
	Size, Sent, Lost int
	Total            uint64
	// Limited: see Delivery.
	Limited bool
}

// transmission is what the estimator keeps of a chunk in flight (section 4.1.2.1, per-packet state): the state of the path when it was sent.
type transmission struct {
	delivered, lost        uint64
	deliveredAt, firstSent time.Duration
	flight                 int
	limited                bool
}

// delivery estimates the rate at which a path delivers (section 4.1.2).
type delivery struct {
	// delivered and lost count bytes of chunks. deliveredAt is when delivered changed last, or when sending began after there was nothing
	// in flight; firstSent is when the chunk was sent that was delivered last.
	delivered, lost        uint64
	deliveredAt, firstSent time.Duration
	// limit is what must be exceeded by delivered for samples not to be limited any more, 0 if they are not.
	limit uint64
	// newest is the chunk sent last of those that the present SACK acknowledges; any says that there is one.
	newest     transmission
	newestSent time.Duration
	packet     uint64
	any        bool
}

// sent notes a chunk that is sent, when so much is in flight with it, and returns what to keep of it.
func (d *delivery) sent(now time.Duration, size, flight int) transmission {
	if flight == size {
		d.firstSent, d.deliveredAt = now, now
	}
	return transmission{d.delivered, d.lost, d.deliveredAt, d.firstSent, flight, d.limit > 0}
}

// acked notes a chunk that has been acknowledged for the first time.
func (d *delivery) acked(now time.Duration, c *outstandingChunk, t *transmission) {
	d.delivered += uint64(c.size)
	d.deliveredAt = now
	if !d.any || c.sentAt > d.firstSent || c.sentAt == d.firstSent && c.packet > d.packet {
		d.any = true
		d.newest, d.newestSent, d.packet = *t, c.sentAt, c.packet
		d.firstSent = c.sentAt
	}
}

// missing notes a chunk that is taken for lost.
func (d *delivery) missing(now time.Duration, tsn wire.TSN, c *outstandingChunk, t *transmission) Loss {
	d.lost += uint64(c.size)
	return Loss{
		Now: now, TSN: tsn, Size: int(c.size), Sent: t.flight, Lost: int(d.lost - t.lost), Total: d.delivered, Limited: t.limited,
	}
}

// limited notes that there is less to send than the path would take: samples of what is in flight, and of what is sent until that has been
// delivered, say nothing of the path.
func (d *delivery) limited(flight int) { d.limit = max(d.delivered+uint64(flight), 1) }

// sample completes a Delivery when all that a SACK acknowledges is known. An interval shorter than the least round trip is none: the chunk
// had been sent before, and that is what was acknowledged.
func (d *delivery) sample(s *Delivery, minRTT time.Duration) {
	if d.limit > 0 && d.delivered > d.limit {
		d.limit = 0
	}
	t := &d.newest
	s.Total, s.Prior, s.Sent, s.Lost, s.Limited = d.delivered, t.delivered, t.flight, int(d.lost-t.lost), t.limited
	interval := max(d.newestSent-t.firstSent, d.deliveredAt-t.deliveredAt)
	if d.any && interval > 0 && interval >= minRTT {
		s.Volume = int(d.delivered - t.delivered)
		s.Rate = float64(s.Volume) / interval.Seconds()
	}
	d.any = false
}
