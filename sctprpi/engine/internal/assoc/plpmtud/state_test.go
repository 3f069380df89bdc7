package plpmtud

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RFC 8899, section 5.2, DISABLED.
func TestNothingIsProbedBeforeThePathIsConfirmed(t *testing.T) {
	s, err := New(Config{Max: 9000})
	require.NoError(t, err)
	_, _, ok := s.Probe(0, rto)
	assert.False(t, ok)
	_, running := s.Deadline()
	assert.False(t, running)
	assert.False(t, s.BlackHole(0))
	assert.False(t, s.TooBig(0, 1400))
	assert.False(t, s.Expire(time.Hour))
	assert.False(t, s.Acked(0, 0))
	assert.Equal(t, DefaultBase, s.MTU())
}

// Section 5.2, BASE: Base is confirmed before sizes above it are tried, but for the
// one probe of Max.
func TestBaseIsConfirmedFirst(t *testing.T) {
	r := start(t, Config{Max: 9000}, 1500)
	assert.Equal(t, 9000, r.lose())
	for range MaxProbes - 1 {
		assert.Equal(t, stateBase, r.state)
		assert.Equal(t, DefaultBase, r.lose())
	}
	r.step()
	assert.Equal(t, stateSearching, r.state)
	assert.Equal(t, 1500, r.search())
}

// Section 5.2, ERROR: Base is probed ever more rarely until it passes.
func TestAPathThatCannotCarryBaseIsTriedAgain(t *testing.T) {
	r := start(t, Config{Max: 1500}, 1000)
	r.search()
	assert.Equal(t, []int{1500, 1200, 1200, 1200}, r.sizes)
	assert.Equal(t, stateError, r.state)
	assert.Equal(t, DefaultBase, r.MTU())

	for pause := 2 * rto; pause < DefaultRaise; pause += 2 * rto {
		r.now += pause - 1
		require.False(t, r.step(), "not before %v", pause)
		r.now++
		require.Equal(t, DefaultBase, r.lose())
	}
	r.now += DefaultRaise
	require.Equal(t, DefaultBase, r.lose(), "no rarer than the raise timer")

	r.mtu = 1500
	r.now += DefaultRaise
	assert.Equal(t, 1500, r.search())
	assert.Equal(t, stateComplete, r.state)
}

// Section 5.2, ERROR: what is too narrow for Min is told from the number of failures.
func TestAPathThatCannotCarryMinFails(t *testing.T) {
	r := start(t, Config{Min: 576, Max: 1500}, 500)
	r.search()
	assert.Equal(t, []int{1500, 1200, 1200, 1200, 1500, 576, 576, 576}, r.sizes)
	assert.Equal(t, stateError, r.state)
	assert.Equal(t, 576, r.MTU())
	assert.Equal(t, 1, r.Failures())
	for failures := 2; failures < 10; failures++ {
		r.now += DefaultRaise
		require.Equal(t, 576, r.lose())
		require.Equal(t, failures, r.Failures())
	}
	r.mtu = 600
	r.now += DefaultRaise
	r.search()
	assert.Zero(t, r.Failures())
}

// Section 4.3: a path that shrinks below Base, and then further.
func TestABlackHoleBelowBaseLeadsToMin(t *testing.T) {
	r := start(t, Config{Min: 576, Max: 1500}, 1500)
	require.Equal(t, 1500, r.search())
	r.mtu = 1000
	assert.True(t, r.BlackHole(r.now))
	assert.Equal(t, DefaultBase, r.MTU())
	assert.True(t, r.BlackHole(r.now))
	assert.Equal(t, 576, r.MTU())
	assert.False(t, r.BlackHole(r.now), "nothing is smaller than Min")
	found := r.search()
	assert.True(t, found <= 1000 && 1000 < found+step(found), found)
	r.mtu = 600
	assert.True(t, r.BlackHole(r.now))
	assert.Equal(t, 576, r.MTU())
	found = r.search()
	assert.True(t, found <= 600 && 600 < found+step(found), found)
}

// Section 5.2, SEARCH_COMPLETE, and section 6.2.1.3: there are no probes until the raise timer has
// expired, and no deadline.
func TestACompleteSearchIsQuiet(t *testing.T) {
	r := start(t, Config{Max: 9000, Raise: time.Hour}, 1500)
	require.Equal(t, 1500, r.search())
	r.now += time.Hour - 1
	assert.False(t, r.step())
	_, running := r.Deadline()
	assert.False(t, running)
	r.now++
	assert.True(t, r.step())
}

// Section 5.2: PMTU_RAISE_TIMER expires in SEARCH_COMPLETE.
func TestTheRaiseTimerFindsALargerMTU(t *testing.T) {
	for wider, sizes := range map[int][]int{
		9000: {9000},
		1500: {9000, 1516, 1516, 1516, 1500}, // no wider
		1800: {9000, 1516, 5256, 3384, 2448, 1980, 1748, 1864, 1804, 1776, 1788, 1804, 1804, 1788},
	} {
		r := start(t, Config{Max: 9000}, 1500)
		require.Equal(t, 1500, r.search())
		r.mtu = wider
		found := r.raise()
		assert.True(t, found <= wider && wider < found+step(found), "%d on a path of %d", found, wider)
		assert.Equal(t, sizes, r.sizes)
	}
}

func TestThereIsNothingToRaiseAtMax(t *testing.T) {
	r := start(t, Config{Max: 9000}, 9000)
	require.Equal(t, 9000, r.search())
	r.raise()
	assert.Empty(t, r.sizes)
}

// Section 4.3: data of full size is not acknowledged any more.
func TestABlackHoleHasTheSearchBeginAnewFromBase(t *testing.T) {
	r := start(t, Config{Max: 9000}, 9000)
	require.Equal(t, 9000, r.search())
	r.mtu = 1400
	assert.True(t, r.BlackHole(r.now))
	assert.Equal(t, DefaultBase, r.MTU())
	assert.False(t, r.BlackHole(r.now), "nothing is smaller than Base")
	assert.Equal(t, stateBase, r.state)
	assert.Equal(t, 1400, r.search())
}

// Section 4.3: a path that shrinks while it is probed is found out by the probe of
// MTU that ends the search.
func TestAPathThatShrinksDuringASearchIsFoundOut(t *testing.T) {
	r := start(t, Config{Max: 9000}, 1500)
	r.step()
	r.step()
	r.step()
	require.Equal(t, 1500, r.MTU())
	r.mtu, r.sizes = 1400, nil
	assert.Equal(t, 1400, r.search())
	assert.Equal(t, []int{1516, 1516, 1516, 1500, 1500, 1500, 9000, 1200}, r.sizes[:8])
}

// Section 5.2: connectivity is lost and comes back.
func TestStartAgainForgetsThePath(t *testing.T) {
	r := start(t, Config{Max: 9000}, 9000)
	require.Equal(t, 9000, r.search())
	r.mtu = 1500
	r.Start(r.now)
	assert.Equal(t, DefaultBase, r.MTU())
	assert.Equal(t, 1500, r.search())
}
