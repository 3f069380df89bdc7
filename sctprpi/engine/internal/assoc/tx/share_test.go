package tx

import (
	"container/heap"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// flow is an endless transfer that shares a bottleneck with others.
type flow struct {
	control func(int) Controller
	starts  time.Duration
}

// shares has flows share a link for a while, and returns how many Mbit/s each had from a time on.
func shares(t *testing.T, l link, from, until time.Duration, flows ...flow) (rates []float64) {
	t.Helper()
	w := &world{}
	data := [][]byte{make([]byte, 64<<10)}
	var sims []*sim
	for i, f := range flows {
		s := newSim(t, uint64(1+i), Config{InitialTSN: 1, Streams: 1, PeerWindow: 1 << 30, NewController: f.control}, 1, 1452, l)
		s.world, s.checkEvery = w, 10_000
		sims = append(sims, s)
		w.after(f.starts, func() {})
	}
	fill := func(i int) {
		s := sims[i]
		for w.now >= flows[i].starts && s.sender.Queue(w.now, &socket.Message{Data: data, Owner: len(s.released)}) == nil {
			s.released[len(s.released)] = false
		}
		s.pump()
		clear(s.peer.got)
	}
	var before []uint64
	for {
		for i := range sims {
			fill(i)
		}
		if w.now >= from && before == nil {
			for _, s := range sims {
				before = append(before, s.sender.Stats().Bytes)
			}
		}
		if w.now >= until {
			break
		}
		first := w.events[0].at
		for _, s := range sims {
			if at, runs := s.sender.Deadline(); runs {
				first = min(first, at)
			}
		}
		w.now = max(w.now, first)
		for len(w.events) > 0 && w.events[0].at <= w.now {
			heap.Pop(&w.events).(event).do()
		}
		for _, s := range sims {
			s.expire()
		}
	}
	for i, s := range sims {
		rates = append(rates, float64(s.sender.Stats().Bytes-before[i])*8/(until-from).Seconds()/1e6)
	}
	require.Len(t, rates, len(flows))
	return rates
}

// jain is Jain's index of fairness: 1 if all have the same, and 1/n if one of n has all.
func jain(rates []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, r := range rates {
		sum += r
		squares += r * r
	}
	return sum * sum / squares / float64(len(rates))
}

// mix makes flows of controls, each begun that long after the one before it, or before that if it is negative.
func mix(each time.Duration, controls ...func(int) Controller) (flows []flow) {
	starts := max(0, -each*time.Duration(len(controls)-1))
	for i, c := range controls {
		flows = append(flows, flow{c, starts + time.Duration(i)*each})
	}
	return flows
}

// shared is a link of 20 Mbit/s and 20 ms with a queue of so many bandwidth-delay products.
func shared(products float64) link {
	return link{delay: 10 * ms, rate: 20e6 / 8, queue: int(products * 20e6 / 8 * 0.020)}
}

// average is what flows have on average of runs that differ in their seeds.
func average(t *testing.T, l link, flows func(seed uint64) []flow) []float64 {
	const runs = 2
	sum := make([]float64, len(flows(0)))
	for run := range uint64(runs) {
		rates := shares(t, l, 10*time.Second, 30*time.Second, flows(10*run)...)
		for i := range sum {
			sum[i] += rates[i] / runs
		}
	}
	return sum
}

func TestBBRFlowsShareFairly(t *testing.T) {
	for _, products := range []float64{1, 2} {
		rates := average(t, shared(products), func(seed uint64) []flow {
			return mix(100*ms, bbr(seed, NewBBR), bbr(seed+1, NewBBR), bbr(seed+2, NewBBR), bbr(seed+3, NewBBR))
		})
		t.Logf("queue of %v products: %.1f, Jain %.3f", products, rates, jain(rates))
		assert.Greater(t, jain(rates), 0.9)
		assert.Greater(t, rates[0]+rates[1]+rates[2]+rates[3], 18.0)
	}
}

func TestALateComerGetsItsShare(t *testing.T) {
	rates := average(t, shared(2), func(seed uint64) []flow {
		return mix(4*time.Second, bbr(seed, NewBBR), bbr(seed+1, NewBBR), bbr(seed+2, NewBBR))
	})
	t.Logf("%.1f, Jain %.3f", rates, jain(rates))
	assert.Greater(t, jain(rates), 0.9)
}

// A flow that takes each loss for congestion keeps more where it came first, and more than NewReno does if it is CUBIC.
func TestOthersKeepAShareBesideBBR(t *testing.T) {
	for name, control := range controls {
		for _, first := range []bool{true, false} {
			rates := average(t, shared(1), func(seed uint64) []flow {
				if first {
					return mix(100*ms, control, bbr(seed, NewBBR))
				}
				return mix(-100*ms, control, bbr(seed, NewBBR))
			})
			share := rates[0] / (rates[0] + rates[1])
			t.Logf("%s first: %v has %.2f", name, first, share)
			assert.Greater(t, share, map[bool]float64{true: 0.18, false: 0.12}[first])
			assert.Greater(t, rates[0]+rates[1], 18.0)
		}
	}
}

// BBR fills a link in spite of random loss, on which CUBIC has √(1.5/p) packets in flight.
func TestBBRFillsALinkThatLoses(t *testing.T) {
	for _, c := range []struct {
		mbits float64
		rtt   time.Duration
		loss  float64
		least float64 // of the link
	}{
		{20, ms, 0, 0.93}, {20, ms, 0.05, 0.85},
		{20, 20 * ms, 0, 0.9}, {20, 20 * ms, 0.01, 0.85}, {20, 20 * ms, 0.02, 0.8}, {20, 20 * ms, 0.05, 0.5},
		{20, 100 * ms, 0, 0.8}, {20, 100 * ms, 0.02, 0.65},
		{100, ms, 0.02, 0.88}, {100, 20 * ms, 0, 0.9}, {100, 20 * ms, 0.02, 0.75}, {100, 100 * ms, 0.02, 0.6},
	} {
		product := c.mbits * 1e6 / 8 * c.rtt.Seconds()
		l := link{delay: c.rtt / 2, rate: int(c.mbits * 1e6 / 8), loss: c.loss, queue: int(max(product, 30_000))}
		b := transfer(t, l, int(c.mbits*5e6/8)>>16, bbr(1, NewBBR))
		b.log(fmt.Sprintf("%3.0f Mbit/s %v %2.0f %%", c.mbits, c.rtt, 100*c.loss))
		assert.Greater(t, b.rate(), c.least*c.mbits)
	}
}
