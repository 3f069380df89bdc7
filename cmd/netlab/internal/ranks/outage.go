package ranks

import "time"

// phases are those of an outage: before the cut, while the network is cut, and when it is healed.
var phases = [...]string{"before", "during", "after"}

// outage is what a receiver notes of messages that arrive before, during and after a cut.
type outage struct {
	p           Multihome
	begun, last time.Time
	gap         time.Duration // the longest
	received    [len(phases)]int
	healed      float64       // what the first network had brought when it was healed, bytes
	back        time.Duration // from then until it carries messages again, 0 as long as it does not
}

func newOutage(p Multihome) *outage {
	now := time.Now()
	return &outage{p: p, begun: now, last: now}
}

// arrived notes a message.
func (o *outage) arrived(now time.Time) {
	o.gap, o.last = max(o.gap, now.Sub(o.last)), now
	phase := o.phase(now)
	if phase == len(phases)-1 && o.back == 0 {
		o.lookForFirst(now)
	}
	o.received[phase]++
}

// lookForFirst notes when the first network carries messages again, rather than heartbeats.
func (o *outage) lookForFirst(now time.Time) {
	bytes := receivedByFirst()
	switch {
	case o.received[len(phases)-1] == 0:
		o.healed = bytes
	case bytes-o.healed >= float64(4*o.p.Size):
		o.back = now.Sub(o.begun) - o.p.After - o.p.For
	}
}

func (o *outage) phase(now time.Time) int {
	switch since := now.Sub(o.begun); {
	case since < o.p.After:
		return 0
	case since < o.p.After+o.p.For:
		return 1
	}
	return 2
}

// metrics sums it up. err is what ended the receiving, nil if all messages have come.
func (o *outage) metrics(err error, now time.Time) Metrics {
	m := Metrics{}
	if err != nil {
		m["lost"] = (now.Sub(o.begun) - o.p.After).Seconds()
	} else {
		m["gap"] = float64(o.gap) / 1e6
	}
	lasted := [...]time.Duration{o.p.After, o.p.For, o.last.Sub(o.begun) - o.p.After - o.p.For}
	for i, name := range phases {
		if lasted[i] > 0 {
			m[name] = float64(o.received[i]*o.p.Size) * 8 / lasted[i].Seconds() / 1e6
		}
	}
	if o.back > 0 {
		m["back"] = o.back.Seconds()
	}
	return m
}
