package tx

import "time"

// bbrProbeRTT is the state of ProbeRTT, in which there is little in flight so that queues drain and the round trip without them shows
// (draft-ietf-ccwg-bbr-06, section 5.3.4).
type bbrProbeRTT struct {
	// cwnd is the window meanwhile, of what was known before the round trip expired.
	cwnd int
	// until is when it ends, 0 as long as there is more in flight; roundDone says that a round has passed since.
	until     time.Duration
	roundDone bool
}

// Constants of section 2.16.
const (
	bbrMinRTTLifetime   = 10 * time.Second
	bbrProbeRTTDuration = 200 * time.Millisecond
)

// updateMinRTT takes a round trip. One that is as short as the least confirms it.
func (b *BBR) updateMinRTT(d *Delivery) {
	m := &b.model
	m.expired = m.minRTT != never && d.Now > m.minRTTAt+bbrMinRTTLifetime
	if m.expired && b.state != bbrProbingRTT {
		b.probe.cwnd = max(m.bdp(bbrGains[bbrProbingRTT].cwnd, initialWindow(b.maxChunk)), bbrMinPipe*b.maxChunk)
	}
	if d.RTT > 0 && (d.RTT <= m.minRTT || m.expired) {
		m.minRTT, m.minRTTAt = d.RTT, d.Now
	}
}

// checkProbeRTT enters and leaves ProbeRTT, and reports whether it is in it.
func (b *BBR) checkProbeRTT(d *Delivery) bool {
	if b.state != bbrProbingRTT && b.model.expired && !b.idleRestart {
		b.saveWindow()
		b.state = bbrProbingRTT
		b.probe.until = 0
		b.cycle.acks = bbrAcksStopping
		b.round.begin(b.delivered)
	}
	if d.Volume > 0 {
		b.idleRestart = false
	}
	if b.state != bbrProbingRTT {
		return false
	}
	p := &b.probe
	switch {
	case p.until == 0 && d.Flight <= p.cwnd:
		p.until, p.roundDone = d.Now+bbrProbeRTTDuration, false
		b.round.begin(b.delivered)
	case p.until != 0:
		p.roundDone = p.roundDone || b.round.started
		if p.roundDone {
			b.checkProbeRTTDone()
		}
	}
	return true
}

func (b *BBR) checkProbeRTTDone() {
	if b.probe.until == 0 || b.now <= b.probe.until {
		return
	}
	b.model.minRTTAt = b.now
	b.restoreWindow()
	b.model.resetLow()
	if !b.full.reached {
		b.state = bbrStartup
		return
	}
	b.startDown()
	b.state = bbrCruise
}
