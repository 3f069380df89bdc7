package tx

import (
	"math"
	"time"
)

// Constants of RFC 9438, section 4.
const (
	cubicC    = 0.4 // chunks of full size per second³
	cubicBeta = 0.7
	// cubicMarkBeta is that of RFC 8511 for marks.
	cubicMarkBeta = 0.85
	// cubicAlpha makes the Reno-friendly estimate as fast as Reno on average.
	cubicAlpha = 3 * (1 - cubicBeta) / (1 + cubicBeta)
)

// leastSsthresh is how many chunks of full size a loss leaves of the window at
// least.
const leastSsthresh = 4

// Cubic is the CUBIC congestion control ([RFC 9438]): after a loss the window
// follows a cubic function of time back to where the loss was and beyond, which
// fills long fat paths that NewReno leaves empty for minutes. A segment of the
// RFC is a chunk of full size here.
//
// [RFC 9438]: https://www.rfc-editor.org/rfc/rfc9438
type Cubic struct {
	maxChunk int
	hystart  hystart
	cubicState
	// prior is the state before the first reduction that has not been judged, if
	// saved is set.
	prior cubicState
	saved bool
}

// cubicState is what a reduction changes.
type cubicState struct {
	// cwnd, in bytes, and ssthresh as in NewReno; cwnd has a fraction since
	// one SACK may raise it by less than a byte.
	cwnd, ssthresh float64
	// wMax is the window to get back to and cwndPrior the one before the last
	// reduction, in bytes.
	wMax, cwndPrior float64
	// epoch is when the present congestion avoidance began, 0 when it has not;
	// wEst is the window that Reno would have by now.
	running bool
	// pace is 1, or less for a path that shares its bottleneck with others of the association: so much slower the window grows.
	pace  float32
	epoch time.Duration
	wEst  float64
	// k is the time from the epoch to wMax, in seconds.
	k float64
	// lastAck is when the window was last seen in full use.
	lastAck time.Duration
}

// NewCubic returns a CUBIC control in its initial state for a path whose
// largest DATA chunk is maxChunk bytes.
func NewCubic(maxChunk int) Controller {
	return &Cubic{
		maxChunk:   maxChunk,
		cubicState: cubicState{cwnd: float64(initialWindow(maxChunk)), ssthresh: math.Inf(1), pace: 1},
	}
}

// Window implements Controller.
func (c *Cubic) Window() int { return int(c.cwnd) }

// SetMaxChunk implements Controller.
func (c *Cubic) SetMaxChunk(size int) {
	c.maxChunk = size
	c.cwnd = max(c.cwnd, float64(size))
	c.running = false
}

// Acked implements Controller.
func (c *Cubic) Acked(a Ack) {
	if a.Recovery {
		return
	}
	if c.cwnd < c.ssthresh {
		c.slowStart(a)
		return
	}
	if a.Flight < c.Window() {
		// Time during which the window does not limit the sender must not
		// make it grow afterwards (section 4.2): the epoch moves along.
		if c.running {
			c.epoch += a.Now - c.lastAck
			c.lastAck = a.Now
		}
		return
	}
	if pace := 1 / float32(max(a.Sharing*a.Sharing, 1)); pace != c.pace {
		c.pace, c.running = pace, false
	}
	if !c.running {
		c.begin(a.Now)
	}
	c.lastAck = a.Now
	c.avoid(a)
}

// slowStart raises the window in slow start, the first of which HyStart++ ends (section
// 4.10).
func (c *Cubic) slowStart(a Ack) {
	growth, over := min(a.Bytes, slowStartLimit*c.maxChunk), false
	if math.IsInf(c.ssthresh, 1) {
		growth, over = c.hystart.acked(a, growth)
	}
	if a.Flight >= c.Window() {
		c.cwnd += float64(growth)
	}
	if over {
		c.ssthresh = c.cwnd
	}
}

// begin opens an epoch of congestion avoidance. When slow start ended without a
// loss, or a timeout led here, there is nothing to get back to (sections 4.8
// and 4.10): wMax is the present window and k 0.
func (c *Cubic) begin(now time.Duration) {
	c.running, c.epoch, c.lastAck = true, now, now
	c.wEst = c.cwnd
	if c.wMax <= c.cwnd {
		c.wMax, c.k = c.cwnd, 0
		return
	}
	c.k = math.Cbrt((c.wMax - c.cwnd) / float64(c.maxChunk) / (cubicC * float64(c.pace)))
}

// avoid raises the window in congestion avoidance (sections 4.2 to 4.5).
func (c *Cubic) avoid(a Ack) {
	t := (a.Now - c.epoch).Seconds()
	acked := float64(a.Bytes)

	alpha := cubicAlpha
	if c.wEst >= c.cwndPrior {
		alpha = 1
	}
	c.wEst += alpha * float64(c.pace) * acked / c.cwnd * float64(c.maxChunk)

	if c.wEst > c.curve(t) {
		c.cwnd = max(c.cwnd, c.wEst)
		return
	}
	target := min(max(c.curve(t+a.SRTT.Seconds()), c.cwnd), 1.5*c.cwnd)
	c.cwnd += (target - c.cwnd) * acked / c.cwnd
}

// curve is W_cubic of section 4.2, in bytes.
func (c *Cubic) curve(seconds float64) float64 {
	d := seconds - c.k
	return cubicC*float64(c.pace)*d*d*d*float64(c.maxChunk) + c.wMax
}

// Lost implements Controller.
func (c *Cubic) Lost(time.Duration) {
	c.save()
	c.reduce(cubicBeta)
	c.cwnd = c.ssthresh
}

// Marked implements MarkController. In congestion avoidance more of the window is left than after a loss (ABE, [RFC 8511]): routers mark
// while queues are short. That is not taken back if losses before turn out to have been none.
//
// [RFC 8511]: https://www.rfc-editor.org/rfc/rfc8511
func (c *Cubic) Marked(time.Duration) {
	beta := cubicMarkBeta
	if c.cwnd < c.ssthresh {
		beta = cubicBeta
	}
	c.reduce(beta)
	c.cwnd = min(c.cwnd, c.ssthresh)
	c.saved = false
}

// Timeout implements Controller.
func (c *Cubic) Timeout(time.Duration) {
	c.save()
	c.reduce(cubicBeta)
	c.cwnd = float64(c.maxChunk)
	// Section 4.8: the epoch after slow start begins on the plateau.
	c.wMax = 0
}

// save keeps the state before the first reduction that has not been judged.
func (c *Cubic) save() {
	if !c.saved {
		c.saved, c.prior = true, c.cubicState
	}
}

// reduce does what losses, timeouts and marks have in common: multiplicative decrease
// with fast convergence (sections 4.6 and 4.7), which leaves room for newcomers
// when the window did not get back to where it was. The least window is that of
// SCTP, four chunks (RFC 9260, section 7.2.3), and not TCP's two: a sender that
// does not fill its window does not let it grow either, so losses would take it
// to the least, which then holds back even the little that there is to send.
func (c *Cubic) reduce(beta float64) {
	c.cwndPrior = c.cwnd
	if c.cwnd < c.wMax {
		c.wMax = c.cwnd * (1 + beta) / 2
	} else {
		c.wMax = c.cwnd
	}
	c.ssthresh = max(c.cwnd*beta, float64(leastSsthresh*c.maxChunk))
	c.running = false
}

// Judged implements Controller. A spurious reduction is taken back with all that it
// has changed (section 4.9), as if no time had passed.
func (c *Cubic) Judged(now time.Duration, spurious bool) {
	if spurious && c.saved {
		cwnd := max(c.cwnd, c.prior.cwnd)
		c.cubicState = c.prior
		c.cwnd = cwnd
		c.epoch += now - c.lastAck
		c.lastAck = now
	}
	c.saved = false
}

// Idle implements Controller.
func (c *Cubic) Idle(timeouts int) {
	if timeouts > 0 {
		c.ssthresh = c.cwnd
		c.cwnd = min(c.cwnd, float64(idleWindow(int(c.cwnd), c.maxChunk, timeouts)))
		c.running, c.saved = false, false
	}
}
