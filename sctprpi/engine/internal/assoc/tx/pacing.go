package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// paced is what a path has more if its congestion control is a RateController.
type paced struct {
	control  RateController
	delivery delivery
	// next is when the next packet may leave; at is when to ask for packets again that wait for that, never if none does.
	next, at time.Duration
	// starved: when last asked, the path had nothing to send.
	starved bool
}

// Packets leave in bursts of a quantum: when there has been none for long enough, as many as that may leave at once, and then none until
// as many may again. So a timer is for a burst, not for a packet. A burst may be late by lateness, or by the time of lateBytes if that is
// shorter, without being lost, since timers are.
const (
	lateness  = 2 * time.Millisecond
	lateBytes = 64 << 10
)

// timeOf returns how long bytes take at a rate.
func timeOf(bytes int, rate float64) time.Duration {
	return time.Duration(float64(bytes) / rate * float64(time.Second))
}

// pace sets the burst of a path to what may leave now. If more could have left before, if there had been something to send, what is
// delivered from now on says nothing of the path for a while (draft-ietf-ccwg-bbr-06, section 4.1.2.4).
func (p *path) pace(now time.Duration) {
	d := p.paced
	if d.starved && d.next < now && p.flight < p.congestion.Window() {
		d.delivery.limited(p.flight)
	}
	d.starved = false
	rate, quantum := d.control.Pacing()
	d.next = max(d.next, now-timeOf(quantum, rate)-min(lateness, timeOf(lateBytes, rate)))
	p.burst = 0
	if d.next <= now {
		p.burst = 1 + int((now-d.next).Seconds()*rate)
	}
}

// depart notes that a chunk leaves, which is in flight already.
func (p *path) depart(now time.Duration, c *outstandingChunk, t *transmission) {
	*t = p.paced.delivery.sent(now, int(c.size), p.flight)
	rate, _ := p.paced.control.Pacing()
	p.paced.next += timeOf(int(c.size), rate)
}

// rest notes that there is nothing to send.
func (d *paced) rest() { d.starved, d.at = true, never }

// await sets when to ask a paced path again, which has just been asked for a packet and had none.
func (s *Sender) await(now time.Duration, p *path) {
	d := p.paced
	if s.out.lostCount == 0 && s.peek(now) == nil {
		d.rest()
		return
	}
	d.at = never
	if p.burst > 0 || p.flight >= p.congestion.Window() || p.collapsed && p.flight > 0 {
		return
	}
	// The last packet of a burst may leave when those before it have.
	rate, quantum := d.control.Pacing()
	waiting := s.queue.queued + s.out.lostCount*p.maxChunk
	d.at = d.next + timeOf(max(min(quantum, waiting)-p.maxChunk, 0), rate)
}

// missing tells a path's congestion control of a chunk that is taken for lost.
func (s *Sender) missing(now time.Duration, p *path, tsn wire.TSN) {
	if p.paced != nil {
		p.paced.control.Missing(p.paced.delivery.missing(now, tsn, s.out.at(tsn), s.out.sentAs(tsn)))
	}
}

// sampled tells a path's congestion control of what a SACK has brought.
func (s *Sender) sampled(now time.Duration, p *path) {
	d := Delivery{
		Now: now, Acked: p.acks.bytes, Flight: p.flight, Peak: p.peak, SRTT: p.rto.SRTT(),
		Recovery: p.recovery.on, Repairing: p.progress.waiting > 0,
	}
	if p.acks.latest >= 0 {
		d.RTT = now - p.acks.latest
	}
	p.paced.delivery.sample(&d, p.rack.minRTT)
	if p.paced.control.Delivered(d) {
		p.paced.delivery.limited(p.flight)
	}
}
