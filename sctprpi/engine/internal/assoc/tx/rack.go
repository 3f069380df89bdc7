package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

const (
	// packetThreshold is how many packets must have been sent after a packet,
	// the last of them delivered, for it to count as lost at once: the three
	// miss indications of RFC 9260, section 7.2.4, counted as in RFC 9002,
	// section 6.1.1, since a packet may hold many chunks. It holds until the path
	// is seen to reorder. RACK can do without, but then finds the first losses a
	// quarter of a round trip later, in which slow start overshoots by half as
	// much again; and a mistake is undone.
	packetThreshold = 3
	// reorderPersist is for how many recoveries a widened reordering window
	// stays (RFC 8985, section 6.2, step 4).
	reorderPersist = 16
	// maxReorderFactor bounds the widening; the window is a round trip at most
	// anyway.
	maxReorderFactor = 255
	// minRTTLifetime is how long the smallest round trip is believed, since
	// paths change.
	minRTTLifetime = 10 * time.Second
)

// rack detects losses on one path by time ([RFC 8985], adapted): a chunk is lost
// when one that was sent a reordering window later has been delivered. SCTP's
// reports of duplicate TSNs take the place of DSACK, packets that of segments.
//
// [RFC 8985]: https://www.rfc-editor.org/rfc/rfc8985
type rack struct {
	// packet is the most recently sent packet of which something has been
	// delivered; 0 when nothing has. rtt is how long that took.
	packet uint64
	rtt    time.Duration

	minRTT   time.Duration
	minRTTAt time.Duration

	// highest is the highest TSN delivered; reordered is set when a lower one
	// came later without having been retransmitted.
	highest   wire.TSN
	reordered bool

	// factor, in quarters of minRTT, is the width of the reordering window.
	factor  int
	persist int
	// widenAfter, when widened is set, must be acknowledged before the window
	// is widened again: at most once a round trip.
	widened    bool
	widenAfter wire.TSN
}

// delivered handles a chunk that has been acknowledged for the first time, of
// one SACK in the order of TSNs (steps 1 to 3).
func (k *rack) delivered(now time.Duration, tsn wire.TSN, c *outstandingChunk) {
	rtt := now - c.sentAt
	if c.resent && rtt < k.minRTT {
		return // it is the first transmission that has been delivered
	}
	if !c.resent && (k.minRTT == 0 || rtt <= k.minRTT || now-k.minRTTAt > minRTTLifetime) {
		k.minRTT, k.minRTTAt = rtt, now
	}
	switch {
	case k.packet == 0 || k.highest.Less(tsn):
		k.highest = tsn
	case !c.resent && tsn.Less(k.highest):
		k.reordered = true
	}
	if c.packet > k.packet {
		k.packet, k.rtt = c.packet, rtt
	}
}

// duplicate notes that a SACK acknowledging everything up to cumulative
// reported duplicates: retransmissions were needless, so the reordering window
// was too narrow. next is the next TSN to be sent (step 4).
func (k *rack) duplicate(cumulative, next wire.TSN) {
	if k.widened && (cumulative + 1).Less(k.widenAfter) {
		return
	}
	k.widened, k.widenAfter = true, next
	k.factor = min(max(k.factor, 1)+1, maxReorderFactor)
	k.persist = reorderPersist
}

// recovered notes that a recovery has ended.
func (k *rack) recovered() {
	if k.persist--; k.persist <= 0 {
		k.persist, k.factor = 0, 1
	}
}

// verdict says whether a chunk in flight is lost, and if it is not, when to ask
// again unless a SACK comes before; never if only a SACK can tell (step 5).
func (k *rack) verdict(now time.Duration, c *outstandingChunk, recovery bool, srtt time.Duration) (bool, time.Duration) {
	if c.packet >= k.packet {
		return false, never
	}
	if !k.reordered && (recovery || k.packet-c.packet >= packetThreshold) {
		return true, 0
	}
	window := min(time.Duration(max(k.factor, 1))*k.minRTT/4, srtt)
	at := c.sentAt + k.rtt + window
	return at <= now, at
}
