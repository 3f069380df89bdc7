package plpmtud

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	rtt = 10 * time.Millisecond
	rto = 100 * time.Millisecond
)

// route is a path: what becomes of probes, and a clock.
type route struct {
	*Search
	tb  testing.TB
	now time.Duration
	// mtu is what passes. drop, if there is one, loses probes of any size.
	mtu  int
	drop func() bool
	// ptb has a router say what passes.
	ptb bool

	probes, lost int
	sizes        []int
	last         time.Duration
}

// start returns a path that has just been confirmed.
func start(tb testing.TB, c Config, mtu int) *route {
	s, err := New(c)
	require.NoError(tb, err)
	s.Start(0)
	return &route{Search: s, tb: tb, mtu: mtu, last: -rto}
}

// step sends a probe, if one is due, and sees what becomes of it.
func (r *route) step() bool {
	size, id, ok := r.Probe(r.now, rto)
	if !ok {
		return false
	}
	r.probes++
	r.sizes = append(r.sizes, size)
	if !r.ptb {
		require.True(r.tb, r.now-r.last >= rtt, "section 8: a round trip between probes")
	}
	r.last = r.now
	before := r.MTU()
	var changed bool
	switch {
	case r.drop != nil && r.drop():
		changed = r.expire()
	case size <= r.mtu:
		r.now += rtt
		changed = r.Acked(r.now, id)
	case r.ptb:
		r.now += rtt / 2
		changed = r.TooBig(r.now, r.mtu)
	default:
		changed = r.expire()
	}
	require.True(r.tb, changed == (before != r.MTU()), "reported: %v", changed)
	require.False(r.tb, r.probe.underWay, "a probe is under way")
	return true
}

func (r *route) expire() bool {
	r.lost++
	deadline, ok := r.Deadline()
	require.True(r.tb, ok)
	require.True(r.tb, deadline == r.now+rto)
	require.False(r.tb, r.Expire(deadline-1), "not yet")
	r.now = deadline
	return r.Expire(r.now)
}

// search sends probes until none is due and returns the result.
func (r *route) search() int {
	for r.step() {
		require.True(r.tb, r.probes < 10_000, "the search does not end")
	}
	return r.MTU()
}

// raise has the raise timer run out and sees that search through.
func (r *route) raise() int {
	r.now += DefaultRaise
	r.sizes = nil
	return r.search()
}

// next returns the probe that is due.
func (r *route) next() (size int, id uint64) {
	size, id, ok := r.Probe(r.now, rto)
	require.True(r.tb, ok, "a probe is due")
	return size, id
}

// lose has the probe that is due be lost and returns its size.
func (r *route) lose() int {
	size, _ := r.next()
	r.expire()
	return size
}
