package tx

import (
	"cmp"
	"fmt"
	"time"
)

// Default bounds of the retransmission timeout. The floor is far below the
// second that RFC 9260 recommends: a tail-loss probe comes before every timeout
// and the probe asks for a SACK without delay, so that a peer which delays its
// SACKs by more than the floor costs one small packet, not a collapsed window.
const (
	DefaultRTOInitial = time.Second
	DefaultRTOMin     = 50 * time.Millisecond
	DefaultRTOMax     = 60 * time.Second
)

// clockGranularity is G of RFC 9260, section 6.3.1: what RTTVAR is raised to
// when it is 0.
const clockGranularity = time.Millisecond

// RTOConfig bounds a retransmission timeout. A field that is 0 has its default.
type RTOConfig struct {
	// Initial is the timeout before the first measurement, within Min and Max.
	Initial time.Duration
	// Min is the floor. Lower finds the loss of a whole flight sooner and
	// risks needless retransmissions when the round trip jumps.
	Min time.Duration
	// Max is the ceiling, also of the exponential backoff.
	Max time.Duration
}

func (c *RTOConfig) setDefaults() error {
	c.Initial = cmp.Or(c.Initial, DefaultRTOInitial)
	c.Min = cmp.Or(c.Min, DefaultRTOMin)
	c.Max = cmp.Or(c.Max, DefaultRTOMax)
	if c.Min < 0 || c.Initial < c.Min || c.Max < c.Initial {
		return fmt.Errorf("tx: RTO bounds must be 0 < min ≤ initial ≤ max, have min %v, initial %v, max %v", c.Min, c.Initial, c.Max)
	}
	return nil
}

// RTO estimates the retransmission timeout of one path from round trips
// ([RFC 9260, section 6.3]). Use NewRTO.
//
// [RFC 9260, section 6.3]: https://www.rfc-editor.org/rfc/rfc9260#section-6.3
type RTO struct {
	bounds       RTOConfig
	srtt, rttvar time.Duration
	timeout      time.Duration
}

// NewRTO returns an estimator without measurements.
func NewRTO(bounds RTOConfig) (RTO, error) {
	if err := bounds.setDefaults(); err != nil {
		return RTO{}, err
	}
	return RTO{bounds: bounds, timeout: bounds.Initial}, nil
}

// Sample handles a measured round trip, which also ends the backoff. By Karn's
// algorithm (rule C5) the chunk measured must not have been retransmitted.
// Measurements more often than once a round trip make the estimate follow
// recent ones too closely (rule C4). A round trip of 0 or less is ignored.
func (r *RTO) Sample(rtt time.Duration) {
	if rtt <= 0 {
		return
	}
	if r.srtt == 0 {
		r.srtt, r.rttvar = rtt, rtt/2
	} else {
		r.rttvar += ((r.srtt - rtt).Abs() - r.rttvar) / 4
		r.srtt += (rtt - r.srtt) / 8
	}
	if r.rttvar == 0 {
		r.rttvar = clockGranularity
	}
	r.timeout = min(max(r.srtt+4*r.rttvar, r.bounds.Min), r.bounds.Max)
}

// Backoff doubles the timeout after it expired (rule E2).
func (r *RTO) Backoff() { r.timeout = min(2*r.timeout, r.bounds.Max) }

// Timeout returns the current timeout, backoff included.
func (r *RTO) Timeout() time.Duration { return r.timeout }

// SRTT returns the smoothed round trip, 0 before the first measurement.
func (r *RTO) SRTT() time.Duration { return r.srtt }
