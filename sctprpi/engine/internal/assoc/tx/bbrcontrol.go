package tx

import "time"

// initPacing sets the pacing rate by the initial window, when there is no bandwidth yet (draft-ietf-ccwg-bbr-06, section 5.6.2).
func (b *BBR) initPacing(rtt time.Duration) {
	b.pacingRate = bbrGains[bbrStartup].pacing * float64(initialWindow(b.maxChunk)) / rtt.Seconds()
}

// bbrMaxSilence is how long the pacing rate may keep a chunk of full size from being sent.
const bbrMaxSilence = 200 * time.Millisecond

// setPacing sets the pacing rate by the bandwidth and the state.
func (b *BBR) setPacing(d *Delivery) {
	if !b.measured && d.SRTT > 0 {
		b.measured = true
		b.initPacing(d.SRTT)
	}
	b.paceAt(bbrGains[b.state].pacing)
	// A path that has not delivered for long is not forgotten.
	b.pacingRate = max(b.pacingRate, float64(b.maxChunk)/bbrMaxSilence.Seconds())
}

// paceAt sets the pacing rate, which does not fall before the pipe has been filled once: until then low rates may be due to there being
// little to send.
func (b *BBR) paceAt(gain float64) {
	rate := gain * b.model.bw() * (1 - bbrPacingMargin)
	if rate > b.pacingRate || b.full.reached && rate > 0 {
		b.pacingRate = rate
	}
}

// Pacing implements RateController. The quantum is that of section 5.6.3.
func (b *BBR) Pacing() (rate float64, quantum int) { return b.pacingRate, b.quantum() }

func (b *BBR) quantum() int {
	return max(int(min(b.pacingRate*time.Millisecond.Seconds(), bbrMaxQuantum)), 2*b.maxChunk)
}

// inflight is what is in flight at a multiple of the bandwidth-delay product, with what batches need (section 5.6.4.2).
func (b *BBR) inflight(gain float64) int {
	return b.quantized(b.model.bdp(gain, initialWindow(b.maxChunk)))
}

// inflightAt is inflight at another bandwidth than the one counted on.
func (b *BBR) inflightAt(bw float64) int {
	if b.model.minRTT == never {
		return b.inflight(1)
	}
	return b.quantized(int(min(bw*b.model.minRTT.Seconds(), maxWindow)))
}

// quantized raises a volume to what keeps sender and receiver busy, where packets leave in batches: one batch, since it is this end that
// makes them, as in QUIC (section 5.5.8.2).
func (b *BBR) quantized(volume int) int {
	volume = max(volume, b.quantum(), bbrMinPipe*b.maxChunk)
	if b.state == bbrUp {
		volume += 2 * b.maxChunk
	}
	return volume
}

// setWindow lets the window grow towards what the model says, and bounds it (sections 5.6.4.6 and 5.6.4.7).
func (b *BBR) setWindow(d *Delivery) {
	m := &b.model
	most := b.quantized(m.bdp(bbrGains[b.state].cwnd, initialWindow(b.maxChunk)) + max(m.extra[0], m.extra[1]))
	switch {
	case b.full.reached:
		b.cwnd = min(b.cwnd+d.Acked, most)
	case b.cwnd < most || d.Total < uint64(initialWindow(b.maxChunk)):
		b.cwnd += d.Acked
	}
	bound := m.lowInflight
	switch {
	case b.state == bbrProbingRTT:
		bound = min(bound, b.withHeadroom(), b.probe.cwnd)
	case b.state == bbrCruise:
		bound = min(bound, b.withHeadroom())
	case b.probingBandwidth():
		bound = min(bound, m.highInflight)
	}
	b.cwnd = min(b.cwnd, bound, maxWindow)
	b.cwnd = max(b.cwnd, bbrMinPipe*b.maxChunk)
}

// saveWindow keeps the window before recovery or ProbeRTT, restoreWindow gives it back.
func (b *BBR) saveWindow() {
	if b.recovering || b.state == bbrProbingRTT {
		b.priorCwnd = max(b.priorCwnd, b.cwnd)
	} else {
		b.priorCwnd = b.cwnd
	}
}

func (b *BBR) restoreWindow() { b.cwnd = max(b.cwnd, b.priorCwnd) }
