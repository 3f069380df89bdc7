package tx

import "time"

// Paths that go through one bottleneck are to take no more of it together than one flow (RFC 6356, section 1, goal 2). They are coupled as
// long as their round trips show one queue. A coupled path grows by the square of its share, 1/n² for n paths, since what congestion control
// gets of a link goes with the square root of how fast it grows; for equal paths that is the increase of RFC 6356.
//
// Paths that show no common queue are not coupled, though RFC 6356 couples all: then several paths that lose packets at random would carry
// no more together than the best of them alone.
type coupling struct {
	queues []queue
	pairs  []likeness // of two paths, in the order of the second
}

// queue is what packets of a path have waited in queues: the last one so long, as of a time, beyond the least round trip.
type queue struct{ waited, at, least time.Duration }

// likeness is that of two paths.
type likeness struct {
	alike   int16 // per mille: how often both have lately waited alike
	coupled bool
}

const (
	// queueShare: packets wait if it takes this part of the least round trip, and leastQueue, at least.
	queueShare = 4
	leastQueue = 2 * time.Millisecond
	// alikeShare: two paths wait alike if the difference is less than this part of the longer time.
	alikeShare = 4
	// alikeMemory is over how many samples alike is an average. Paths are coupled above coupleAbove, until it is below coupleBelow.
	alikeMemory = 32
	coupleAbove = 800
	coupleBelow = 500
)

// add makes room for one more path.
func (c *coupling) add() {
	c.pairs = append(c.pairs, make([]likeness, len(c.queues))...)
	c.queues = append(c.queues, queue{})
}

func (c *coupling) pair(a, b PathID) *likeness {
	low, high := int(min(a, b)), int(max(a, b))
	return &c.pairs[high*(high-1)/2+low]
}

// forget forgets what is known of a path.
func (c *coupling) forget(id PathID) {
	c.queues[id] = queue{}
	for other := range c.queues {
		if PathID(other) != id {
			*c.pair(id, PathID(other)) = likeness{}
		}
	}
}

// sample takes a round trip of a path with a smoothed one, and compares what it says of queues with the other paths.
func (c *coupling) sample(now time.Duration, id PathID, rtt, srtt time.Duration) {
	q := &c.queues[id]
	if q.least == 0 || rtt < q.least {
		q.least = rtt
	}
	q.waited, q.at = rtt-q.least, now
	for other := range c.queues {
		o := &c.queues[other]
		if PathID(other) == id || o.least == 0 || now-o.at > srtt {
			continue
		}
		longer, shorter := max(q.waited, o.waited), min(q.waited, o.waited)
		if longer < max(leastQueue, max(q.least, o.least)/queueShare) {
			continue // there is no queue
		}
		c.pair(id, PathID(other)).note(longer-shorter < longer/alikeShare)
	}
}

// note takes one comparison of two paths.
func (p *likeness) note(alike bool) {
	value := 0
	if alike {
		value = 1000
	}
	p.alike += int16((value - int(p.alike)) / alikeMemory)
	p.coupled = p.alike > coupleAbove || p.coupled && p.alike >= coupleBelow
}

// sharing returns how many paths with something in flight share a path's bottleneck, that one included.
func (s *Sender) sharing(p *path) int {
	n := 1
	for i := range s.paths {
		if other := &s.paths[i]; other != p && other.flight > 0 && s.coupling.pair(p.id, other.id).coupled {
			n++
		}
	}
	return n
}
