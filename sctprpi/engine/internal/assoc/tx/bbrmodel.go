package tx

import (
	"math"
	"time"
)

// bbrModel is what is known of the path (draft-ietf-ccwg-bbr-06, section 5.5).
type bbrModel struct {
	// maxBW has the highest delivery rates of this cycle of ProbeBW and of the one before (section 5.5.3).
	maxBW [2]float64
	// minRTT is the least round trip, as of minRTTAt, never when there has been none. expired says that it is to be measured again.
	minRTT, minRTTAt time.Duration
	expired          bool
	// The rate and the volume in flight are bounded by high, which lasts, and low, which holds until the next probe (section 2.9).
	lowBW        float64
	lowInflight  int
	highInflight int
	extra        [2]int // the most that was acknowledged beyond what the rate makes expect, of these rounds and those before (5.5.9)
	extraRound   uint64 // when extra[1] began
	extraSince   time.Duration
	extraAcked   int
}

func (m *bbrModel) init() {
	m.minRTT, m.highInflight = never, noLimit
	m.resetLow()
}

// resetLow forgets what losses have said for the time being.
func (m *bbrModel) resetLow() { m.lowBW, m.lowInflight = math.Inf(1), noLimit }

// max is the highest rate at which the path has lately delivered, and bw the rate that is counted on.
func (m *bbrModel) max() float64 { return max(m.maxBW[0], m.maxBW[1]) }
func (m *bbrModel) bw() float64  { return min(m.max(), m.lowBW) }

// bandwidth takes a rate sample (section 5.5.5).
func (m *bbrModel) bandwidth(d *Delivery) {
	if d.Rate > 0 && (d.Rate >= m.max() || !d.Limited) {
		m.maxBW[1] = max(m.maxBW[1], d.Rate)
	}
}

// advance begins a cycle (section 5.5.6). A cycle without a sample does not count.
func (m *bbrModel) advance() {
	if m.maxBW[1] > 0 {
		m.maxBW[0], m.maxBW[1] = m.maxBW[1], 0
	}
}

// bdp is the bandwidth-delay product times a gain, in bytes; initial when there is no round trip yet.
func (m *bbrModel) bdp(gain float64, initial int) int {
	if m.minRTT == never {
		return initial
	}
	return int(min(gain*m.bw()*m.minRTT.Seconds(), maxWindow))
}

// bbrExtraRounds are how many rounds each slot of extra is for when the pipe has been filled: 5 to 10 in all, the draft's being 10.
const bbrExtraRounds = 5

// aggregation estimates how much more than expected is acknowledged at once, since acknowledgements come in bunches (section 5.5.9).
func (m *bbrModel) aggregation(d *Delivery, r *bbrRound, full bool, cwnd int) {
	expected := int(min(m.bw()*(d.Now-m.extraSince).Seconds(), maxWindow))
	if m.extraAcked <= expected {
		m.extraAcked, m.extraSince, expected = 0, d.Now, 0
	}
	m.extraAcked = min(m.extraAcked+d.Acked, maxWindow)
	length := uint64(1)
	if full {
		length = bbrExtraRounds
	}
	if r.started && r.count-m.extraRound >= length {
		m.extraRound = r.count
		m.extra[0], m.extra[1] = m.extra[1], 0
	}
	m.extra[1] = max(m.extra[1], min(m.extraAcked-expected, cwnd))
}

// bbrRound counts round trips by packets (section 5.5.1).
type bbrRound struct {
	count uint64
	// end is what must have been delivered when a chunk is sent for its acknowledgement to end the round; started says that the present
	// SACK has ended one.
	end     uint64
	started bool
	// filled says that the window has been full in this round, filledBefore in the one before.
	filled, filledBefore bool
}

func (r *bbrRound) update(d *Delivery) {
	r.started = d.Prior >= r.end
	if r.started {
		r.count++
		r.begin(d.Total)
		r.filled, r.filledBefore = false, r.filled
	}
}

func (r *bbrRound) begin(total uint64) { r.end = total }

// limitedByWindow reports whether the window has been full within a round trip.
func (r *bbrRound) limitedByWindow() bool { return r.filled || r.filledBefore }
