package tx

import (
	"math"
	"math/rand/v2"
	"time"
)

// BBR is the congestion control BBR in its version 3 ([draft-ietf-ccwg-bbr-06]). It measures how fast the path delivers and how long a
// round trip takes without queues, sends at that rate, and has about twice the product of the two in flight at most. Loss limits it only
// where there is much of it: see bbrJudge.
//
// Names of fields are those of the draft where they can be; what it calls inflight_longterm and inflight_shortterm, and the same of bw,
// is high and low here. The draft leaves the response to marks (ECN) to later work, so BBR is no MarkController, and its packets are not
// markable.
//
// [draft-ietf-ccwg-bbr-06]: https://www.ietf.org/archive/id/draft-ietf-ccwg-bbr-06.html
type BBR struct {
	maxChunk int
	random   *rand.Rand
	judge    bbrJudge

	state bbrState
	// now is the time, and delivered what the path has delivered, of the last event.
	now       time.Duration
	delivered uint64
	lastRTT   time.Duration // the last that has been measured
	// cwnd is in bytes; pacingRate in bytes per second.
	cwnd       int
	pacingRate float64
	measured   bool // srtt has been used for the pacing rate
	// priorCwnd is the window before loss recovery or ProbeRTT, in one of which recovering says we are.
	priorCwnd  int
	recovering bool

	model bbrModel
	round bbrRound
	full  bbrFullPipe
	loss  bbrLoss
	cycle bbrCycle
	probe bbrProbeRTT
	undo  bbrUndo
	// idleRestart: sending has begun again after there was nothing to send.
	idleRestart bool
	// drainRound is the round in which Drain began.
	drainRound uint64
}

// bbrState is a state of the draft's state machine (section 5.1.1).
type bbrState uint8

const (
	bbrStartup bbrState = iota
	bbrDrain
	bbrDown // those of ProbeBW
	bbrCruise
	bbrRefill
	bbrUp
	bbrProbingRTT
)

// bbrGains are how many times the estimated bandwidth a state sends at, and how many times the estimated bandwidth-delay product it has in
// flight at most (section 5.6.1).
var bbrGains = [...]struct{ pacing, cwnd float64 }{
	bbrStartup: {2.77, 2}, bbrDrain: {0.5, 2},
	bbrDown: {0.9, 2}, bbrCruise: {1, 2}, bbrRefill: {1, 2}, bbrUp: {1.25, 2.25},
	bbrProbingRTT: {1, 0.5},
}

// Constants of section 2.
const (
	bbrLossThreshold = 0.02
	bbrBeta          = 0.7
	bbrHeadroom      = 0.15
	bbrMinPipe       = 4 // chunks of full size
	bbrPacingMargin  = 0.01
	bbrMaxQuantum    = 64 << 10
)

// noLimit is a volume that limits nothing.
const noLimit = math.MaxInt

// NewBBR returns a BBR control in its initial state for a path whose largest DATA chunk is maxChunk bytes. Random draws when to probe.
func NewBBR(maxChunk int, random *rand.Rand) Controller {
	return newBBR(maxChunk, random, judgeWithQueue)
}

// NewBBRDraft returns a BBR control that judges losses as the draft does: see bbrJudge.
func NewBBRDraft(maxChunk int, random *rand.Rand) Controller {
	return newBBR(maxChunk, random, judgeByDraft)
}

func newBBR(maxChunk int, random *rand.Rand, judge bbrJudge) *BBR {
	b := &BBR{maxChunk: maxChunk, random: random, judge: judge, cwnd: initialWindow(maxChunk)}
	b.model.init()
	b.cycle.init()
	b.undo.clear()
	b.initPacing(time.Millisecond)
	return b
}

// Window implements Controller.
func (b *BBR) Window() int { return b.cwnd }

// SetMaxChunk implements Controller.
func (b *BBR) SetMaxChunk(size int) {
	b.maxChunk = size
	b.cwnd = max(b.cwnd, size)
	if !b.measured {
		b.initPacing(time.Millisecond)
	}
}

// Acked implements Controller. Delivered tells more.
func (b *BBR) Acked(Ack) {}

// Idle implements Controller. Pacing keeps what follows from being a burst: see Resumed.
func (b *BBR) Idle(int) {}

// Delivered implements RateController (section 5.2.3).
func (b *BBR) Delivered(d Delivery) bool {
	b.now, b.delivered = d.Now, d.Total
	if d.RTT > 0 {
		b.lastRTT = d.RTT
	}
	b.repaired(&d)
	b.round.filled = b.round.filled || d.Peak >= b.cwnd
	b.loss.latest(&d)
	b.round.update(&d)
	b.cycle.rounds(&b.round)
	b.model.bandwidth(&d)
	b.congestion()
	b.model.aggregation(&d, &b.round, b.full.reached, b.cwnd)
	b.full.check(&d, &b.round)
	b.checkStartup(&d)
	b.checkDrain(&d)
	b.advance(&d)
	b.updateMinRTT(&d)
	limited := b.checkProbeRTT(&d)
	b.loss.advance(&d)
	b.setPacing(&d)
	b.setWindow(&d)
	return limited
}

// Resumed implements RateController (section 5.4.1).
func (b *BBR) Resumed(now time.Duration) {
	b.now, b.idleRestart = now, true
	b.model.extraSince = now
	switch {
	case b.probingBandwidth():
		b.paceAt(1)
	case b.state == bbrProbingRTT:
		b.checkProbeRTTDone()
	}
}

// probingBandwidth reports whether the state is one of ProbeBW.
func (b *BBR) probingBandwidth() bool { return b.state >= bbrDown && b.state <= bbrUp }

// accelerating reports whether the state is one in which losses are expected to tell of the path's limit.
func (b *BBR) accelerating() bool {
	return b.state == bbrStartup || b.state == bbrRefill || b.state == bbrUp
}
