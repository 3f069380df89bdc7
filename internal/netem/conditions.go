// Package netem makes networks with a given delay, loss and bandwidth. It is for any program or test on Linux,
// with MPI or without.
//
// Conditions describe what happens to packets, in the notation of tc-netem(8). Star and Dual, on Linux, make networks
// of hosts, each a network namespace, whose links have conditions. They need root, and a kernel with the modules veth,
// bridge and sch_netem. If the host lacks them, run the program in a lab: go run ./cmd/netlab exec -- PROGRAM.
package netem

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// DefaultLimit is the Limit, in packets, of conditions that set none: that of tc.
const DefaultLimit = 1000

// MaxHosts is the greatest number of hosts in a topology. Each knows all others, so set-up takes the square of it.
const MaxHosts = 64

// Percent is a share of packets, from 0 to 100. The kernel keeps 32 bits of the fraction.
type Percent float64

// BitRate is a number of bits per second. The kernel counts whole bytes, rounded down.
type BitRate uint64

// Units of BitRate, decimal as in tc.
const (
	Bit  BitRate = 1
	Kbit         = 1000 * Bit
	Mbit         = 1000 * Kbit
	Gbit         = 1000 * Mbit
)

// Conditions are the delay, loss and rate of a link. The zero value is a link without netem.
type Conditions struct {
	Delay  time.Duration // of each packet
	Jitter time.Duration // greatest deviation from Delay, evenly distributed; packets may overtake each other

	Loss      Percent        // each packet on its own; or
	LossBurst GilbertElliott // in bursts, unless it is zero

	Duplicate Percent
	Reorder   Percent // packets sent at once instead of after Delay
	Corrupt   Percent // packets with one bit inverted
	Rate      BitRate // zero is without bound

	// Limit is the number of packets that wait at a time; others are dropped. Zero is DefaultLimit. Those in delay count:
	// a link with bandwidth B and delay D needs B·D over the size of a packet, and room to queue.
	Limit uint32
}

// GilbertElliott is a model of bursts of loss. A link is good or bad; before each packet it may change.
type GilbertElliott struct {
	P        Percent // good to bad
	R        Percent // bad to good
	LossBad  Percent // loss while bad, 1-h in the literature
	LossGood Percent // loss while good, 1-k in the literature
}

// maxTime bounds Delay and Jitter.
const maxTime = time.Hour

// Validate returns an error for values that netem cannot do, or that are certainly a mistake.
func (c Conditions) Validate() error {
	for _, p := range []struct {
		name  string
		value Percent
	}{
		{"loss", c.Loss}, {"duplicate", c.Duplicate}, {"reorder", c.Reorder}, {"corrupt", c.Corrupt},
		{"loss gemodel p", c.LossBurst.P}, {"loss gemodel r", c.LossBurst.R},
		{"loss gemodel 1-h", c.LossBurst.LossBad}, {"loss gemodel 1-k", c.LossBurst.LossGood},
	} {
		if !(p.value >= 0 && p.value <= 100) {
			return fmt.Errorf("netem: %s %v: it must be from 0%% to 100%%", p.name, p.value)
		}
	}
	switch {
	case c.Delay < 0 || c.Delay > maxTime:
		return fmt.Errorf("netem: delay %v: it must be from 0 to %v", c.Delay, maxTime)
	case c.Jitter < 0 || c.Jitter > c.Delay:
		return fmt.Errorf("netem: jitter %v: it must be from 0 to the delay, %v", c.Jitter, c.Delay)
	case c.Loss != 0 && c.LossBurst != GilbertElliott{}:
		return errors.New("netem: loss is either of single packets or in bursts")
	case c.Reorder != 0 && c.Delay == 0:
		return errors.New("netem: reorder needs a delay that the reordered packets do without")
	case c.Rate != 0 && c.Rate < 8*Bit:
		return fmt.Errorf("netem: rate %v: it must be 8bit or more", c.Rate)
	case c.Limit > 1<<31-1:
		return fmt.Errorf("netem: limit %d: it must be below 2^31", c.Limit)
	}
	return nil
}

// String returns the conditions in the notation that Parse reads. It is empty for none.
func (c Conditions) String() string {
	var words []string
	add := func(present bool, w ...any) {
		if present {
			words = append(words, strings.TrimSuffix(fmt.Sprintln(w...), "\n"))
		}
	}
	add(c.Delay != 0, "delay", timeString(c.Delay))
	add(c.Jitter != 0, timeString(c.Jitter))
	add(c.Loss != 0, "loss", c.Loss)
	if b := c.LossBurst; b != (GilbertElliott{}) {
		add(true, "loss gemodel", b.P, b.R, b.LossBad, b.LossGood)
	}
	add(c.Duplicate != 0, "duplicate", c.Duplicate)
	add(c.Reorder != 0, "reorder", c.Reorder)
	add(c.Corrupt != 0, "corrupt", c.Corrupt)
	add(c.Rate != 0, "rate", c.Rate)
	add(c.Limit != 0, "limit", c.Limit)
	return strings.Join(words, " ")
}

// String returns, for example, "0.5%".
func (p Percent) String() string {
	return strconv.FormatFloat(float64(p), 'f', -1, 64) + "%"
}

// String returns the rate in the largest unit of which it is a whole number, for example "1500kbit".
func (r BitRate) String() string {
	for _, u := range rateUnits {
		if r%u.size == 0 {
			return strconv.FormatUint(uint64(r/u.size), 10) + u.name
		}
	}
	panic("unreachable: the last unit is one bit")
}

// timeString returns a time in the largest unit of which it is a whole number.
func timeString(d time.Duration) string {
	for _, u := range timeUnits {
		if d%u.size == 0 {
			return strconv.FormatInt(int64(d/u.size), 10) + u.name
		}
	}
	panic("unreachable: the last unit is one nanosecond")
}
