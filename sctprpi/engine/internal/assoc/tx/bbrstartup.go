package tx

// bbrFullPipe finds out whether sending faster has the path deliver more (draft-ietf-ccwg-bbr-06, section 5.3.1.2).
type bbrFullPipe struct {
	bw    float64 // the rate that is to be exceeded by a quarter
	count int     // rounds in which it has not been
	// now: the pipe is full, as far as this probe has shown. reached: it has ever been.
	now, reached bool
}

const (
	bbrFullGrowth = 1.25
	bbrFullRounds = 3
)

// reset begins a probe from a rate.
func (f *bbrFullPipe) reset(bw float64) { f.bw, f.count, f.now = bw, 0, false }

func (f *bbrFullPipe) check(d *Delivery, r *bbrRound) {
	switch {
	case f.now || !r.started || d.Limited || d.Rate == 0:
	case d.Rate >= f.bw*bbrFullGrowth:
		f.reset(d.Rate)
	default:
		f.count++
		f.now = f.count >= bbrFullRounds
		f.reached = f.reached || f.now
	}
}

// bbrStartupLosses are in how many places data must be missing for Startup to end by loss (section 5.3.1.3).
const bbrStartupLosses = 6

// checkStartup leaves Startup when the pipe is full, or losses have been too many during a round of fast recovery.
func (b *BBR) checkStartup(d *Delivery) {
	if b.state != bbrStartup {
		return
	}
	l := &b.loss
	if !b.full.reached && l.roundEnded && d.Recovery && l.endedRecovery && l.endedPlaces >= bbrStartupLosses &&
		b.tooMany(l.ended, l.ended+l.endedDelivered) {
		b.undo.state = bbrStartup
		b.full.reached = true
		b.model.highInflight = max(b.model.bdp(1, initialWindow(b.maxChunk)), l.inflightLatest)
	}
	if b.full.reached {
		b.state = bbrDrain
		b.drainRound = b.round.count
	}
}

// bbrDrainRounds are how many rounds Drain lasts at most (section 5.3.2).
const bbrDrainRounds = 3

// checkDrain leaves Drain when what Startup has queued is gone.
func (b *BBR) checkDrain(d *Delivery) {
	if b.state == bbrDrain && (d.Flight <= b.inflight(1) || b.round.count > b.drainRound+bbrDrainRounds) {
		b.startDown()
	}
}
