package plan

import (
	"math"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/netem"
)

const (
	launching = 800 * time.Millisecond // of a job in a lab, with its end
	segment   = 1448                   // bytes of data in a packet
)

// Allowed is how many bits of data a second congestion control lets through a link on which each packet meets the conditions in one
// direction: a mean window of √(1.5/p) packets in each round trip at a loss of p, as Reno has it, and CUBIC too where windows are
// that small (RFC 9438, section 4.3); no more than the link carries, and infinitely many if neither bounds it.
func Allowed(c netem.Conditions) float64 {
	allowed := math.Inf(1)
	if c.Rate > 0 {
		allowed = float64(c.Rate)
	}
	if p, rtt := lost(c), 2*c.Delay.Seconds(); p > 0 && rtt > 0 {
		allowed = min(allowed, math.Sqrt(1.5/p)*segment*8/rtt)
	}
	return allowed
}

// lost is the share of packets that are lost in the long run.
func lost(c netem.Conditions) float64 {
	b := c.LossBurst
	if b.P+b.R == 0 {
		return float64(c.Loss) / 100
	}
	bad := float64(b.P / (b.P + b.R))
	return (bad*float64(b.LossBad) + (1-bad)*float64(b.LossGood)) / 100
}

// Expected is about how long a job of the case takes: its start, what it has to send at the rate that congestion control allows, or
// the time that passes whatever the network is like if that is longer, and the messages that wait for each other. A program that says nothing of its load takes half of its time limit.
func (c *Case) Expected() time.Duration {
	loaded, ok := c.Params.(Loaded)
	if !ok {
		return launching + c.Timeout/2
	}
	l := loaded.Load(c.Ranks)
	sending := time.Duration(float64(l.Bytes) * 8 / Allowed(c.Conditions) * float64(time.Second))
	return launching + max(l.Time, sending) + time.Duration(l.Turns)*c.Conditions.Delay
}

// Jobs is how many jobs an experiment has when each cell is measured as often as it says.
func (e *Experiment) Jobs() int { return e.Rounds * len(e.Cells()) }

// Expected is about how long all jobs of an experiment take, if its budget has room for them.
func (e *Experiment) Expected() (sum time.Duration) {
	for _, cell := range e.Cells() {
		sum += time.Duration(e.Rounds) * cell.Case.Expected()
	}
	return sum
}
