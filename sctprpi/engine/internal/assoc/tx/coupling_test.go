package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// couplingOf returns that of three paths.
func couplingOf() *coupling {
	c := new(coupling)
	for range 3 {
		c.add()
	}
	return c
}

// show has paths show queues for a while, in milliseconds, beside 20 ms without any.
func (c *coupling) show(now *time.Duration, samples int, queues ...int) {
	for range samples {
		for id, q := range queues {
			*now += ms
			c.sample(*now, PathID(id), time.Duration(20+q)*ms, 40*ms)
		}
	}
}

// Paths are coupled when they have shown the same queue for a while, until they do so no more; without a queue nothing is learnt.
func TestPathsThatShowOneQueueAreCoupled(t *testing.T) {
	c, now := couplingOf(), time.Duration(0)
	c.show(&now, 1, 0, 0, 0)
	c.show(&now, 100, 0, 0, 0)
	assert.False(t, c.pair(0, 1).coupled, "there is no queue")
	c.show(&now, 100, 1, 1, 1)
	assert.False(t, c.pair(0, 1).coupled, "nor is a millisecond one")
	c.show(&now, 10, 30, 32, 8)
	assert.False(t, c.pair(0, 1).coupled, "it may be chance")
	c.show(&now, 100, 30, 32, 8)
	assert.True(t, c.pair(0, 1).coupled)
	assert.True(t, c.pair(1, 0).coupled)
	assert.False(t, c.pair(0, 2).coupled)
	assert.False(t, c.pair(2, 1).coupled)
	c.show(&now, 100, 0, 0, 0)
	assert.True(t, c.pair(0, 1).coupled, "they have a link in common that is not busy")
	c.show(&now, 100, 30, 10, 30)
	assert.False(t, c.pair(0, 1).coupled)
	assert.True(t, c.pair(0, 2).coupled)
	c.forget(2)
	assert.False(t, c.pair(0, 2).coupled, "it leads another way")
}

// What a path has shown long ago is not compared.
func TestOldQueuesAreNotCompared(t *testing.T) {
	c, now := couplingOf(), time.Duration(0)
	c.show(&now, 1, 0, 0)
	for range 100 {
		now += time.Second
		c.sample(now, 0, 50*ms, 40*ms)
		now += time.Second
		c.sample(now, 1, 50*ms, 40*ms)
	}
	assert.False(t, c.pair(0, 1).coupled)
}

// Of n paths that share a bottleneck each grows by 1/n² (for equal ones the increase of RFC 6356).
func TestCoupledPathsGrowMoreSlowly(t *testing.T) {
	grown := func(sharing int) int {
		c := NewNewReno(1000).(*NewReno)
		c.cwnd, c.ssthresh = 100_000, 50_000
		before := c.cwnd
		for range 400 { // round trips
			c.Acked(Ack{Bytes: c.cwnd, Flight: 1 << 30, Sharing: sharing})
		}
		return c.cwnd - before
	}
	assert.Equal(t, grown(0), grown(1))
	assert.InDelta(t, float64(grown(1))/4, float64(grown(2)), 2000)
	assert.InDelta(t, float64(grown(1))/9, float64(grown(3)), 2000)

	window := func(sharing int) int {
		c := NewCubic(1000).(*Cubic)
		c.cwnd, c.ssthresh = 1_000_000, 1_000_000
		c.Lost(0)
		for now := ms; now < 5*time.Second; now += 10 * ms {
			c.Acked(Ack{Now: now, Bytes: c.Window(), Flight: 1 << 30, SRTT: 10 * ms, Sharing: sharing})
		}
		return c.Window()
	}
	assert.Equal(t, window(0), window(1))
	assert.Less(t, window(2), window(1))
	assert.Less(t, window(3), window(2))
}
