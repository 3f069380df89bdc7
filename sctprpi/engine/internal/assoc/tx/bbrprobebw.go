package tx

import "time"

// bbrCycle is where a flow stands in the cycle of ProbeBW (draft-ietf-ccwg-bbr-06, section 5.3.3).
type bbrCycle struct {
	// began is when the present cycle did, and wait how long after it the next probe is due at the latest.
	began, wait time.Duration
	// sinceUp counts rounds since the last probe.
	sinceUp int
	acks    bbrAcks
	// probeSample: what is acknowledged was sent during a probe, and has not been found too much.
	probeSample bool
	// tooHigh: the last probe caused too much loss. precautionary: it was ended before it could.
	tooHigh, precautionary bool
	// upRounds counts the rounds of the present probe. While it goes on, high grows by a chunk for each perChunk bytes acknowledged, of
	// which there have been upAcked.
	upRounds, perChunk, upAcked int
}

// bbrAcks is what acknowledgements are for (section 5.3.3.6).
type bbrAcks uint8

const (
	bbrAcksInit bbrAcks = iota
	bbrAcksRefilling
	bbrAcksStarting // the probe has begun, but what is acknowledged was sent before
	bbrAcksFeedback
	bbrAcksStopping // the probe is over, but what is acknowledged was sent during it
)

// Time scales of section 5.3.3.5.
const (
	bbrMinWait    = 2 * time.Second
	bbrRenoRounds = 63
)

func (c *bbrCycle) init() { c.perChunk = noLimit }

func (c *bbrCycle) rounds(r *bbrRound) {
	if r.started {
		c.sinceUp++
	}
}

// startDown ends a probe, and begins the cycle.
func (b *BBR) startDown() {
	b.loss.reset()
	c := &b.cycle
	c.perChunk = noLimit
	c.sinceUp = b.random.IntN(2)
	c.wait = bbrMinWait + time.Duration(b.random.Int64N(int64(time.Second)))
	c.began = b.now
	c.acks = bbrAcksStopping
	b.round.begin(b.delivered)
	b.state = bbrDown
}

func (b *BBR) startRefill() {
	b.model.resetLow()
	c := &b.cycle
	c.upRounds, c.upAcked, c.precautionary = 0, 0, false
	c.acks = bbrAcksRefilling
	b.round.begin(b.delivered)
	b.state = bbrRefill
}

func (b *BBR) startUp(d *Delivery) {
	b.cycle.acks = bbrAcksStarting
	b.round.begin(b.delivered)
	b.full.reset(d.Rate)
	b.state = bbrUp
	b.steepen()
}

// advance goes through the cycle (section 5.3.3.6).
func (b *BBR) advance(d *Delivery) {
	if !b.full.reached || b.adaptHigh(d) {
		return
	}
	switch b.state {
	case bbrDown, bbrCruise:
		switch {
		case b.timeToProbe(d):
			b.startRefill()
		case b.state == bbrDown && d.Flight <= b.withHeadroom() && d.Flight <= b.inflightAt(b.model.max()):
			b.state = bbrCruise
		}
	case bbrRefill:
		if b.round.started {
			b.cycle.probeSample = true
			b.startUp(d)
		}
	case bbrUp:
		if b.timeToGoDown(d) {
			b.cycle.tooHigh = false // no loss yet, at least
			b.startDown()
		}
	}
}

// timeToProbe reports whether the bandwidth is to be probed: when the time has passed, or as many rounds as a Reno flow would need to get
// back what a loss has cost it (section 5.3.3.5).
func (b *BBR) timeToProbe(d *Delivery) bool {
	return d.Now > b.cycle.began+b.cycle.wait || b.cycle.sinceUp >= min(b.target()/b.maxChunk, bbrRenoRounds)
}

// timeToGoDown reports whether a probe has shown what there is to see (section 5.3.3.4).
func (b *BBR) timeToGoDown(d *Delivery) bool {
	high := b.model.highInflight
	if b.cycle.tooHigh && d.Flight >= high {
		b.cycle.precautionary = true
		return true
	}
	if b.round.limitedByWindow() && b.cwnd >= high {
		b.full.reset(d.Rate) // it is the bound that keeps the rate from growing
		return false
	}
	return b.full.now
}

// adaptHigh raises the lasting bound while losses allow it, and reports whether it has changed the state.
func (b *BBR) adaptHigh(d *Delivery) bool {
	c := &b.cycle
	if b.round.started {
		switch c.acks {
		case bbrAcksStarting:
			c.acks = bbrAcksFeedback
		case bbrAcksStopping:
			c.probeSample, c.acks = false, bbrAcksInit
			if b.probingBandwidth() && !d.Limited {
				b.model.advance()
			}
			if b.probingBandwidth() && c.precautionary && !c.tooHigh {
				b.startRefill()
				return true
			}
		}
	}
	if b.tooMany(d.Lost, d.Sent) || b.model.highInflight == noLimit {
		return false
	}
	b.model.highInflight = max(b.model.highInflight, d.Sent)
	if b.state == bbrUp {
		b.raiseHigh(d)
	}
	return false
}

// steepen has the bound grow twice as fast as in the round before (section 5.3.3.2).
func (b *BBR) steepen() {
	c := &b.cycle
	c.perChunk = max(b.cwnd>>c.upRounds, b.maxChunk)
	c.upRounds = min(c.upRounds+1, 30)
}

func (b *BBR) raiseHigh(d *Delivery) {
	c := &b.cycle
	if !b.round.limitedByWindow() || b.cwnd < b.model.highInflight {
		return
	}
	c.upAcked += d.Acked
	if n := c.upAcked / c.perChunk; n > 0 {
		c.upAcked -= n * c.perChunk
		b.model.highInflight = min(b.model.highInflight+n*b.maxChunk, maxWindow)
	}
	if b.round.started {
		b.steepen()
	}
}

// withHeadroom is the lasting bound, less some room for other flows.
func (b *BBR) withHeadroom() int {
	high := b.model.highInflight
	if high == noLimit {
		return noLimit
	}
	return max(high-max(b.maxChunk, int(bbrHeadroom*float64(high))), bbrMinPipe*b.maxChunk)
}

// target is how much is wanted in flight: a bandwidth-delay product, unless losses have made the window smaller.
func (b *BBR) target() int { return min(b.model.bdp(1, initialWindow(b.maxChunk)), b.cwnd) }
