package plpmtud

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RFC 8899, section 5.1.1: PROBE_TIMER is all the timer there is.
func TestThereIsOneProbeAtATime(t *testing.T) {
	r := start(t, Config{Max: 9000}, 9000)
	_, running := r.Deadline()
	assert.False(t, running)
	_, id := r.next()
	deadline, running := r.Deadline()
	assert.True(t, running)
	assert.Equal(t, rto, deadline)
	_, _, ok := r.Probe(r.now, rto)
	assert.False(t, ok)
	assert.True(t, r.Acked(r.now+rtt, id))
	_, running = r.Deadline()
	assert.False(t, running)
	assert.False(t, r.Expire(deadline), "the timer is off")
}

// Section 3, item 7 and section 5.1.3: losing a single probe is no proof.
func TestTheSizeThatEndsASearchIsLostMaxProbesTimes(t *testing.T) {
	r := start(t, Config{Max: 1500}, 1492)
	r.search()
	count := 0
	for _, size := range r.sizes {
		if size == 1500 {
			count++
		}
	}
	assert.Equal(t, MaxProbes, count)
}

// Section 3, "datagram delay and duplication".
func TestALateAcknowledgementProvesItsSize(t *testing.T) {
	r := start(t, Config{Max: 9000}, 9000)
	_, late := r.next()
	r.expire()
	size, id := r.next()
	require.Equal(t, DefaultBase, size)
	assert.True(t, r.Acked(r.now, late))
	assert.Equal(t, 9000, r.MTU())
	_, running := r.Deadline()
	assert.False(t, running, "Base is of no interest any more")
	assert.False(t, r.Acked(r.now, id))
	assert.False(t, r.Acked(r.now, late), "twice")
	assert.Equal(t, 9000, r.MTU())
	assert.Equal(t, stateComplete, r.state)
}

// As above, when a larger probe is under way already.
func TestALateAcknowledgementLeavesALargerProbeAlone(t *testing.T) {
	r := start(t, Config{Max: 9000}, 9000)
	r.lose()
	_, late := r.next() // Base
	r.expire()
	_, second := r.next() // Base
	r.Acked(r.now, second)
	size, id := r.next()
	require.Equal(t, 1500, size)
	assert.False(t, r.Acked(r.now, late))
	_, running := r.Deadline()
	assert.True(t, running)
	assert.True(t, r.Acked(r.now, id))
	assert.Equal(t, 1500, r.MTU())
}

func TestALateAcknowledgementReopensASearch(t *testing.T) {
	r := start(t, Config{Max: 9000}, 1500)
	for r.MTU() < 1500 {
		r.step()
	}
	_, late := r.next()
	r.expire()
	require.Equal(t, 1500, r.search())
	require.Equal(t, stateComplete, r.state)
	assert.True(t, r.Acked(r.now, late))
	assert.Equal(t, 1516, r.MTU())
	assert.Equal(t, stateSearching, r.state)
}

// Section 4.1: acknowledgements that are made up or out of date do nothing.
func TestAnAcknowledgementNeedsAProbe(t *testing.T) {
	r := start(t, Config{Max: 9000}, 9000)
	_, first := r.next()
	for _, id := range []uint64{0, first + 1, first + memory, 1<<64 - 1} {
		assert.False(t, r.Acked(r.now, id), "id %d", id)
	}
	r.expire()
	for range memory {
		r.now += DefaultRaise // for ERROR
		r.lose()
	}
	assert.False(t, r.Acked(r.now, first), "too old")
	assert.Equal(t, DefaultBase, r.MTU())
}

// Section 4.3: what was on its way when MTU fell back proves nothing.
func TestAnAcknowledgementFromBeforeABlackHoleIsIgnored(t *testing.T) {
	for name, fall := range map[string]func(*route) bool{
		"black hole":     func(r *route) bool { return r.BlackHole(r.now) },
		"packet too big": func(r *route) bool { return r.TooBig(r.now, 1400) },
		"restart":        func(r *route) bool { r.Start(r.now); return true },
	} {
		r := start(t, Config{Max: 9000}, 1500)
		require.Equal(t, 1500, r.search())
		r.now += DefaultRaise
		_, id := r.next()
		require.True(t, fall(r), name)
		_, running := r.Deadline()
		assert.False(t, running, name)
		assert.False(t, r.Acked(r.now, id), name)
		assert.Equal(t, DefaultBase, r.MTU(), name)
	}
}
