package tx

import (
	"math"
	"time"
)

// NewReno is the congestion control of [RFC 9260, section 7.2]: slow start, which
// HyStart++ ends (RFC 9406), and congestion avoidance counted in bytes, halving on loss.
//
// [RFC 9260, section 7.2]: https://www.rfc-editor.org/rfc/rfc9260#section-7.2
type NewReno struct {
	maxChunk, cwnd, ssthresh int
	hystart                  hystart
	// partial is partial_bytes_acked: what congestion avoidance has seen
	// acknowledged since it last raised the window.
	partial int
	// saved says that the two others are cwnd and ssthresh before the first
	// reduction that has not been judged.
	saved                    bool
	cwndSaved, ssthreshSaved int
}

// NewNewReno returns a NewReno control in its initial state for a path whose
// largest DATA chunk is maxChunk bytes.
func NewNewReno(maxChunk int) Controller {
	return &NewReno{maxChunk: maxChunk, cwnd: initialWindow(maxChunk), ssthresh: math.MaxInt}
}

// Window implements Controller.
func (c *NewReno) Window() int { return c.cwnd }

// SetMaxChunk implements Controller.
func (c *NewReno) SetMaxChunk(size int) {
	c.maxChunk = size
	c.cwnd = max(c.cwnd, size)
}

// Acked implements Controller.
func (c *NewReno) Acked(a Ack) {
	full := a.Flight >= c.cwnd
	switch {
	case a.Recovery:
	case c.cwnd <= c.ssthresh:
		c.slowStart(a, full)
	default:
		c.partial += a.Bytes
		enough := c.cwnd * max(a.Sharing*a.Sharing, 1)
		switch {
		case c.partial >= enough && full:
			c.partial -= enough
			c.cwnd += c.maxChunk
		case c.partial > enough:
			c.partial = enough
		}
	}
	if a.Drained {
		c.partial = 0
	}
}

func (c *NewReno) slowStart(a Ack, full bool) {
	growth, over := min(a.Bytes, slowStartLimit*c.maxChunk), false
	if c.ssthresh == math.MaxInt {
		growth, over = c.hystart.acked(a, growth)
	}
	if full {
		c.cwnd += growth
	}
	if over {
		c.ssthresh = c.cwnd - 1
	}
}

// Lost implements Controller.
func (c *NewReno) Lost(time.Duration) {
	c.reduce()
	c.cwnd = c.ssthresh
}

// Marked implements MarkController. In congestion avoidance four fifths of the window are left (ABE, [RFC 8511]): routers mark while queues
// are short. That is not taken back if losses before turn out to have been none.
//
// [RFC 8511]: https://www.rfc-editor.org/rfc/rfc8511
func (c *NewReno) Marked(time.Duration) {
	left := c.cwnd / 2
	if c.cwnd > c.ssthresh {
		left = c.cwnd * 4 / 5
	}
	c.ssthresh = max(left, leastSsthresh*c.maxChunk)
	c.cwnd = min(c.cwnd, c.ssthresh)
	c.partial, c.saved = 0, false
}

// Timeout implements Controller.
func (c *NewReno) Timeout(time.Duration) {
	c.reduce()
	c.cwnd = c.maxChunk
}

func (c *NewReno) reduce() {
	if !c.saved {
		c.saved, c.cwndSaved, c.ssthreshSaved = true, c.cwnd, c.ssthresh
	}
	c.ssthresh = max(c.cwnd/2, leastSsthresh*c.maxChunk)
	c.partial = 0
}

// Judged implements Controller.
func (c *NewReno) Judged(_ time.Duration, spurious bool) {
	if spurious && c.saved {
		c.cwnd = max(c.cwnd, c.cwndSaved)
		c.ssthresh = max(c.ssthresh, c.ssthreshSaved)
	}
	c.saved = false
}

// Idle implements Controller.
func (c *NewReno) Idle(timeouts int) {
	if timeouts > 0 {
		c.ssthresh = c.cwnd
		c.cwnd = idleWindow(c.cwnd, c.maxChunk, timeouts)
		c.saved = false
	}
}

// idleWindow halves a window for each timeout that passed without a packet,
// down to four chunks. A window that is smaller already stays.
func idleWindow(cwnd, maxChunk, timeouts int) int {
	return min(cwnd, max(cwnd>>min(timeouts, 62), 4*maxChunk))
}
