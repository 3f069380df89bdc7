package tx

import (
	"math"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// bbrJudge says which losses are a sign of congestion.
//
// The draft takes more than 2 % of what is in flight for a sign that there is too much of it, and any loss for a sign that the path has
// become slower. Where 34 packets are in flight, as at 20 Mbit/s and 20 ms, a single one is more than 2 %.
//
// judgeWithQueue does so too when there is a queue, as the round trip shows: a queue that overflows has been full. When there is none, it
// asks whether there are so many losses that a path which loses 2 % of all packets at random would hardly ever have as many: beyond three
// standard deviations. That is 4 of 34 packets, 9 of 170, 34 of 1000.
type bbrJudge uint8

const (
	judgeWithQueue bbrJudge = iota
	judgeByDraft
)

const (
	bbrDeviations = 3
	bbrQueueing   = 1.25 // times the least round trip, when there is a queue
)

// chance reports whether losses may be chance.
func (b *BBR) chance(lost, of int) bool {
	if b.judge == judgeByDraft || float64(b.lastRTT) > bbrQueueing*float64(b.model.minRTT) {
		return false
	}
	mean := bbrLossThreshold * float64(of)
	return float64(lost) <= mean+bbrDeviations*math.Sqrt(mean*float64(b.maxChunk))
}

// tooMany reports whether the loss of so many bytes out of others says that there was too much in flight.
func (b *BBR) tooMany(lost, of int) bool {
	return float64(lost) > bbrLossThreshold*float64(of) && !b.chance(lost, of)
}

// bbrLoss is what a round has delivered and lost (draft-ietf-ccwg-bbr-06, section 5.5.10).
type bbrLoss struct {
	// bwLatest and inflightLatest are the most that a sample of the round has shown.
	bwLatest       float64
	inflightLatest int
	// end is as in bbrRound, for rounds that begin with a loss; began is what had been delivered then.
	end, began uint64
	// lost has been lost in the round, in so many places. next is the TSN after the last one. recovery: the path has been in fast recovery
	// all the time.
	lost, places int
	next         wire.TSN
	recovery     bool
	// roundEnded says that the present SACK has ended a round, in which those were so.
	roundEnded                         bool
	ended, endedPlaces, endedDelivered int
	endedRecovery                      bool
}

// reset forgets the round.
func (l *bbrLoss) reset() { l.bwLatest, l.inflightLatest, l.lost, l.places = 0, 0, 0, 0 }

// latest takes a sample, and ends the round if it is time.
func (l *bbrLoss) latest(d *Delivery) {
	l.bwLatest = max(l.bwLatest, d.Rate)
	l.inflightLatest = max(l.inflightLatest, d.Volume)
	if l.roundEnded = d.Prior >= l.end; l.roundEnded {
		l.ended, l.endedPlaces, l.endedRecovery = l.lost, l.places, l.recovery
		l.endedDelivered = int(d.Total - l.began)
		l.end, l.began, l.recovery = d.Total, d.Total, d.Recovery
		l.lost, l.places = 0, 0
	}
	l.recovery = l.recovery && d.Recovery
}

// advance begins the round that latest has ended.
func (l *bbrLoss) advance(d *Delivery) {
	if l.roundEnded {
		l.bwLatest, l.inflightLatest = d.Rate, d.Volume
	}
}

// Missing implements RateController (section 5.2.4).
func (b *BBR) Missing(x Loss) {
	b.now, b.delivered = x.Now, x.Total
	l := &b.loss
	if l.lost == 0 {
		l.end, l.began, l.recovery = x.Total, x.Total, true
	}
	if l.places == 0 || x.TSN != l.next {
		l.places++
	}
	l.lost, l.next = l.lost+x.Size, x.TSN+1
	if b.cycle.probeSample && b.tooMany(x.Lost, x.Sent) {
		b.tooHigh(x)
	}
}

// tooHigh ends a probe that has put too much in flight. What was in flight when losses became too many lies within the chunk.
func (b *BBR) tooHigh(x Loss) {
	b.cycle.tooHigh = true
	b.cycle.probeSample = false // once for a probe
	if !x.Limited {
		before, lost := float64(x.Sent-x.Size), float64(x.Lost-x.Size)
		prefix := min(max((bbrLossThreshold*before-lost)/(1-bbrLossThreshold), 0), float64(x.Size))
		b.model.highInflight = max(int(before+prefix), int(bbrBeta*float64(b.target())))
	}
	if b.state == bbrUp {
		b.undo.state = bbrUp
		b.startDown()
	}
}

// congestion lowers the bounds once a round while there is no probe (section 5.5.10.3).
func (b *BBR) congestion() {
	l, m := &b.loss, &b.model
	if !l.roundEnded || b.accelerating() || l.ended == 0 || b.chance(l.ended, l.ended+l.endedDelivered) {
		return
	}
	if math.IsInf(m.lowBW, 1) {
		m.lowBW = m.max()
	}
	if m.lowInflight == noLimit {
		m.lowInflight = b.cwnd
	}
	m.lowBW = max(l.bwLatest, bbrBeta*m.lowBW)
	m.lowInflight = max(l.inflightLatest, int(bbrBeta*float64(m.lowInflight)))
}

// bbrUndo is what losses have changed since Lost or Timeout, and can be taken back (section 5.5.11).
type bbrUndo struct {
	saved                     bool
	lowBW                     float64
	lowInflight, highInflight int
	// state is Startup or Up if a loss has ended it, otherwise noState.
	state bbrState
}

const noState = bbrProbingRTT + 1

func (u *bbrUndo) clear() { u.saved, u.state = false, noState }

// save keeps what there is before the first loss that has not been judged.
func (b *BBR) save() {
	b.saveWindow()
	u, m := &b.undo, &b.model
	if !u.saved {
		u.saved, u.state = true, noState
		u.lowBW, u.lowInflight, u.highInflight = m.lowBW, m.lowInflight, m.highInflight
	}
}

// Lost implements Controller: it begins fast recovery, which changes nothing by itself (section 5.6.4.4).
func (b *BBR) Lost(time.Duration) {
	b.save()
	b.recovering = true
}

// Timeout implements Controller (section 5.6.4.4).
func (b *BBR) Timeout(time.Duration) {
	b.save()
	b.recovering = true
	b.cwnd = b.maxChunk
}

// repaired ends recovery, and gives back the window of before.
func (b *BBR) repaired(d *Delivery) {
	if b.recovering && !d.Recovery && !d.Repairing {
		b.recovering = false
		b.restoreWindow()
	}
}

// Judged implements Controller (section 5.5.11.2).
func (b *BBR) Judged(now time.Duration, spurious bool) {
	b.now = now
	u, m := &b.undo, &b.model
	if spurious && u.saved {
		b.restoreWindow()
		b.loss.lost, b.loss.places = 0, 0
		b.full.reset(0)
		m.lowBW = max(m.lowBW, u.lowBW)
		m.lowInflight = max(m.lowInflight, u.lowInflight)
		m.highInflight = max(m.highInflight, u.highInflight)
		switch {
		case u.state == bbrStartup && b.state != bbrStartup:
			b.full.reached = false
			if b.state != bbrProbingRTT {
				b.state = bbrStartup
			}
		case u.state == bbrUp && b.state != bbrUp && b.state != bbrProbingRTT:
			b.startRefill()
		}
	}
	u.clear()
}
