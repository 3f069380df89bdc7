package rx

import (
	"fmt"
	"math"
	"time"
)

// The defaults of AckPolicy, and the longest delay that RFC 9260, section 6.2,
// allows.
const (
	DefaultAckDelay = 200 * time.Millisecond
	DefaultAckEvery = 2
	MaxAckDelay     = 500 * time.Millisecond
)

// AckPolicy says when to acknowledge chunks that arrive in order. A field that is
// 0 has its default.
type AckPolicy struct {
	// Delay is how long a SACK may wait for more to acknowledge, or for a
	// packet to go along with. The default is 200 ms, the most is 500 ms.
	Delay time.Duration
	// Every is how many packets, or GRO batches, one SACK at least is sent for; 1
	// makes none wait. The default, 2, is what RFC 9260 recommends; more saves
	// packets, and makes the peer's congestion window grow in larger steps.
	Every int
}

func (p *AckPolicy) setDefaults() error {
	if p.Delay == 0 {
		p.Delay = DefaultAckDelay
	}
	if p.Every == 0 {
		p.Every = DefaultAckEvery
	}
	switch {
	case p.Delay < 0 || p.Delay > MaxAckDelay:
		return fmt.Errorf("rx: SACK delay of %v, must be at most %v", p.Delay, MaxAckDelay)
	case p.Every < 0:
		return fmt.Errorf("rx: a SACK every %d packets, must be 1 or more", p.Every)
	}
	return nil
}

// never is the deadline of a timer that does not run.
const never time.Duration = math.MaxInt64

// ackTimer decides when the next SACK is due.
type ackTimer struct {
	policy AckPolicy
	// first: some DATA has been acknowledged. Until then nothing is delayed.
	first bool
	// data and urgent are about the packet being processed: it has DATA; its
	// SACK must not be delayed.
	data, urgent bool
	due          bool
	packets      int // since the last SACK, in units of a small one
	deadline     time.Duration
}

// smallPackets is how many small packets count as one.
const smallPackets = 4

// endPacket counts a packet as so many small ones, and makes a SACK due now or later if it
// had DATA.
func (a *ackTimer) endPacket(now time.Duration, gaps bool, weight int) {
	if a.data {
		a.packets += weight
		switch {
		case a.urgent || gaps || !a.first || a.policy.Every == 1 || a.packets >= smallPackets*a.policy.Every:
			a.due = true
		case a.deadline == never:
			a.deadline = now + a.policy.Delay
		}
		a.first = true
	}
	a.data, a.urgent = false, false
}

func (a *ackTimer) sent() { a.due, a.packets, a.deadline = false, 0, never }
