package plpmtud

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RFC 8899, section 4.6.2: with ICMP a search waits for no timeout.
func TestASearchWithICMP(t *testing.T) {
	for _, c := range []struct{ max, mtu, found, probes int }{
		{65_536, 1500, 1500, 4},
		{9000, 1430, 1428, 4},
		{1500, 1492, 1492, 4},
		{1500, 1280, 1280, 4},
		{9000, 9000, 9000, 1},
		{9000, 1200, 1200, 3},
	} {
		t.Run(fmt.Sprintf("%d of %d", c.mtu, c.max), func(t *testing.T) {
			r := start(t, Config{Max: c.max}, c.mtu)
			r.ptb = true
			assert.Equal(t, c.found, r.search(), "MTU")
			assert.Equal(t, c.probes, r.probes, "probes %v", r.sizes)
			assert.Equal(t, stateComplete, r.state)
			r.raise()
			assert.Equal(t, c.found, r.MTU())
		})
	}
}

// Section 4.6.2: MTU < PL_PTB_SIZE < PROBED_SIZE.
func TestASmallerSizeThanProbedIsTriedNext(t *testing.T) {
	r := start(t, Config{Max: 9000}, 4000)
	r.lose()
	r.step()
	r.step()
	size, _ := r.next()
	require.Equal(t, 1516, size)
	assert.False(t, r.TooBig(r.now, 1510))
	_, running := r.Deadline()
	assert.False(t, running, "the probe is lost")
	assert.Equal(t, 1500, r.MTU())
	size, id := r.next()
	assert.Equal(t, 1508, size)
	assert.True(t, r.Acked(r.now, id))
}

// Section 4.6.2: BASE_PLPMTU <= PL_PTB_SIZE < PLPMTU.
func TestASmallerSizeThanMTULeadsToBase(t *testing.T) {
	r := start(t, Config{Max: 9000}, 9000)
	require.Equal(t, 9000, r.search())
	r.mtu, r.sizes = 1450, nil
	assert.True(t, r.TooBig(r.now, 1450))
	assert.Equal(t, DefaultBase, r.MTU(), "the size named is only a reason to probe")
	assert.Equal(t, 1448, r.search())
	assert.Equal(t, []int{1200, 1448, 1452, 1448}, r.sizes)
}

// Section 4.6.2: MIN_PLPMTU <= PL_PTB_SIZE < BASE_PLPMTU.
func TestASmallerSizeThanBaseLeadsToMin(t *testing.T) {
	r := start(t, Config{Min: 576, Max: 1500}, 1500)
	require.Equal(t, 1500, r.search())
	r.mtu, r.sizes = 702, nil
	assert.True(t, r.TooBig(r.now, 702))
	assert.Equal(t, 576, r.MTU(), "the size named is only a reason to probe")
	assert.Equal(t, 700, r.search())
	assert.Equal(t, []int{576, 700, 704, 700}, r.sizes)
	assert.False(t, r.TooBig(r.now, 575), "less than Min makes no sense")
	assert.Equal(t, 700, r.MTU())
}

// Sections 4.6.1 and 8: what makes no sense is ignored.
func TestImplausibleSizesAreIgnored(t *testing.T) {
	r := start(t, Config{Max: 9000}, 1500)
	for r.MTU() < 1500 {
		r.step()
	}
	size, _ := r.next()
	require.Equal(t, 1516, size)
	for name, mtu := range map[string]int{
		"none": 0, "negative": -1500, "below Base": 1199, "that of the probe": 1516, "more": 9000, "far more": math.MaxInt,
	} {
		assert.False(t, r.TooBig(r.now, mtu), name)
		assert.Equal(t, 1500, r.MTU(), name)
		_, running := r.Deadline()
		assert.True(t, running, name)
	}
	r.expire()
	assert.False(t, r.TooBig(r.now, 1508), "nothing larger than 1,500 is under way")
	size, _ = r.next()
	assert.Equal(t, 1516, size)
}

// Section 8: a router that always lies can slow a search down, not stop it.
func TestALieIsFoundOut(t *testing.T) {
	for _, lie := range []int{576, 600, 1196, 1200, 1280, 1496, 1500, 4000} {
		r := start(t, Config{Min: 576, Max: 9000}, 9000)
		for lies := 0; r.step(); lies++ {
			r.TooBig(r.now, lie)
			require.Less(t, lies, 1000)
		}
		assert.Equal(t, 9000, r.MTU(), "lie of %d", lie)
	}
}

// Section 8: the size above the one named is given a probe.
func TestALieAboutAProbeIsFoundOut(t *testing.T) {
	r := start(t, Config{Max: 9000}, 9000)
	r.next()
	r.TooBig(r.now, 1300)
	assert.Equal(t, 9000, r.search())
	assert.Equal(t, []int{1200, 1300, 1304}, r.sizes[:3])
}
