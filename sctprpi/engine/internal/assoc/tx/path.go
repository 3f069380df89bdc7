package tx

import (
	"math"
	"time"
)

// PathID names a path, a destination address of the peer, by the order in which
// the paths were added.
type PathID uint8

// MaxPaths bounds the paths of an association.
const MaxPaths = 64

// PathSet is a set of paths.
type PathSet uint64

// Has reports whether a path is in the set.
func (s PathSet) Has(id PathID) bool { return s>>id&1 != 0 }

// never is the deadline of a timer that does not run.
const never time.Duration = math.MaxInt64

// path is what is kept for each destination address (RFC 9260, section 7.2).
type path struct {
	id         PathID
	maxChunk   int // PMDCS, in bytes
	rto        RTO
	congestion Controller
	// paced is not nil if congestion is a RateController.
	paced *paced
	rack  rack
	// spurious detects reductions of the window that have to be undone.
	spurious spuriousLosses

	inFlight flightList
	flight   int // bytes of chunks
	progress pathProgress
	// peak is flight when the path was last asked for a packet. SACKs that are
	// processed in a batch leave it as it is, so that each of them sees
	// whether the window was in full use.
	peak       int
	lastPacket uint64
	lastSent   time.Duration

	// burst is how many bytes may still be sent before the next SACK, or at once if the path is paced.
	burst    int
	recovery recovery
	ecn      ecn
	// collapsed: T3-rtx expired and nothing has been acknowledged since, so
	// only one packet may be in flight (section 7.2.3).
	collapsed bool

	timers
	tail tailProbe

	// hindered: it has kept the peer's window shut for a faster path.
	hindered bool

	// sampled is when the RTO last took a measurement.
	sampled time.Duration
	acks    pathAcks
	stats   PathStats
}

// outstanding reports whether chunks that were last sent here are not acknowledged.
func (p *path) outstanding() bool { return p.inFlight.n > 0 || p.progress.waiting > 0 }

// pathAcks gathers what one SACK acknowledges on one path.
type pathAcks struct {
	bytes int
	// sentAt is when the earliest sent of the chunks was sent that may be
	// measured, never if there is none.
	sentAt time.Duration
	// latest is when the last of them was sent that had not been sent before, -1
	// if there is none.
	latest time.Duration
}

// open reports whether a packet may be sent within the congestion window, which
// it may breach (rule B of section 6.1), and the burst limit.
func (p *path) open() bool {
	if p.collapsed && p.flight > 0 {
		return false
	}
	return p.flight < p.congestion.Window() && p.burst > 0
}

// allow lets out another burst: Max.Burst packets (rule D of section 6.1) and,
// after a SACK, twice what it acknowledged, the pace of slow start. The rule
// takes one SACK for every two packets; a peer that reads packets in batches
// answers a whole batch with one.
func (p *path) allow(acked, maxBurst int) {
	p.burst = max(p.burst, 2*acked+maxBurst*p.maxChunk)
}

// idleTimeout is the least time that counts as a timeout without a packet. The rule of
// section 7.2.1 presumes an RTO of a second at least, RTO.Min of RFC 9260; with ours, a
// pause that a program makes to think would cost the whole window. RFC 7661, which has
// taken the place of RFC 2861, where the rule comes from, lets an unused window stand for
// minutes; what goes out at once after a pause is up to the burst limit anyway.
const idleTimeout = time.Second

// A window of sufficientWindow bytes grows no further while queueing times the least round trip
// passes until an acknowledgement comes: all but a small part of what is under way then lies
// in queues, which more would only make longer. Where nothing is lost, as on loopback, they
// would hold the peer's whole receive window, too much for the caches of the processors.
const (
	sufficientWindow = 1 << 20
	queueing         = 4
)

// windowSuffices reports whether the window is large enough.
func (p *path) windowSuffices() bool {
	return p.congestion.Window() >= sufficientWindow && p.rack.minRTT > 0 && p.rto.SRTT() > queueing*p.rack.minRTT
}

// wake shrinks the window of a path that has been idle, when it is used again
// (section 7.2.1).
func (p *path) wake(now time.Duration) {
	if p.flight > 0 || p.lastPacket == 0 {
		return
	}
	if p.paced != nil && p.paced.delivery.limit > 0 {
		p.paced.control.Resumed(now)
	}
	if timeouts := int((now - p.lastSent) / max(p.rto.Timeout(), idleTimeout)); timeouts > 0 {
		p.congestion.Idle(timeouts)
	}
}
