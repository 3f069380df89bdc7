package plpmtud

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RFC 8899, section 5.3: what a search finds on common paths and what it takes.
func TestPaths(t *testing.T) {
	for _, c := range []struct{ base, max, mtu, found, probes, lost int }{
		{1200, 65_536, 65_536, 65_532, 1, 0}, // loopback
		{1200, 9000, 9000, 9000, 1, 0},
		{1200, 9001, 9001, 9000, 1, 0},
		{1200, 1500, 1500, 1500, 1, 0},
		{1200, 1200, 1200, 1200, 1, 0},
		{1200, 1500, 1492, 1492, 12, 3},
		{1200, 1500, 1460, 1460, 12, 5},
		{1200, 1500, 1420, 1420, 10, 5},
		{1200, 1500, 1400, 1400, 9, 5},
		{1200, 1500, 1280, 1280, 8, 5},
		{1200, 1500, 1200, 1200, 7, 5},
		{1280, 1500, 1280, 1280, 7, 5}, // IPv6
		{1200, 9000, 1500, 1500, 7, 4},
		{1200, 65_535, 9000, 9000, 8, 4},
		{1200, 65_535, 1500, 1500, 8, 5},
		{1200, 65_535, 1280, 1280, 9, 6},
		{576, 1500, 576, 576, 11, 9},
	} {
		t.Run(fmt.Sprintf("%d of %d", c.mtu, c.max), func(t *testing.T) {
			r := start(t, Config{Base: c.base, Max: c.max}, c.mtu)
			assert.Equal(t, c.found, r.search(), "MTU")
			assert.Equal(t, c.probes, r.probes, "probes %v", r.sizes)
			assert.Equal(t, c.lost, r.lost, "probes lost %v", r.sizes)
			assert.Equal(t, stateComplete, r.state)
		})
	}
}

// RFC 8899, section 5.2: where Base does not pass, the search goes on from Min.
func TestPathsBelowBase(t *testing.T) {
	for _, c := range []struct{ max, mtu, found, probes, lost int }{
		{1500, 576, 576, 15, 13},
		{1500, 577, 576, 15, 13},
		{1500, 700, 700, 16, 11},
		{1500, 1000, 992, 16, 10},
		{1500, 1199, 1188, 16, 8},
		{65_535, 700, 700, 17, 12},
		{1000, 1000, 1000, 1, 0}, // the route tells
	} {
		t.Run(fmt.Sprintf("%d of %d", c.mtu, c.max), func(t *testing.T) {
			r := start(t, Config{Min: 576, Base: min(DefaultBase, c.max), Max: c.max}, c.mtu)
			assert.Equal(t, c.found, r.search(), "MTU")
			assert.Equal(t, c.probes, r.probes, "probes %v", r.sizes)
			assert.Equal(t, c.lost, r.lost, "probes lost %v", r.sizes)
			assert.Equal(t, stateComplete, r.state)
		})
	}
}

// What the package's text claims, of all paths there can be.
func TestSearchIsBoundedAndPrecise(t *testing.T) {
	probes, lost, again := 0, 0, 0
	for mtu := DefaultBase; mtu <= maxPacket; mtu += align {
		r := start(t, Config{Max: maxPacket}, mtu)
		found := r.search()
		require.True(t, found <= mtu && mtu < found+step(found), "%d on a path of %d", found, mtu)
		probes, lost = max(probes, r.probes), max(lost, r.lost)
		require.True(t, r.raise() == found, "the path is the same")
		again = max(again, len(r.sizes))
	}
	assert.Equal(t, 18, probes)
	assert.Equal(t, 13, lost)
	assert.Equal(t, 5, again, "probes when the raise timer has run out")
	for mtu := minBase; mtu < DefaultBase; mtu += align {
		r := start(t, Config{Min: minBase, Max: maxPacket}, mtu)
		found := r.search()
		require.True(t, found <= mtu && mtu < found+step(found), "%d on a path of %d", found, mtu)
		require.True(t, r.raise() == found, "the path is the same")
	}
	for size := minBase; size <= maxPacket; size++ {
		require.True(t, step(size) <= max(16, size/128), "size %d", size)
	}
}

// Every size is a multiple of 4, and the first is all that the route allows.
func TestSizesAreThoseOfPackets(t *testing.T) {
	for _, c := range []struct{ base, max, first, second int }{
		{1203, 1503, 1500, 1200},
		{0, 1 << 20, 65_532, DefaultBase},
		{1201, 1203, 1200, 1200},
	} {
		r := start(t, Config{Base: c.base, Max: c.max}, 0)
		assert.Equal(t, c.first, r.lose())
		assert.Equal(t, c.second, r.lose())
	}
}

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []struct {
		config Config
		err    string
	}{
		{Config{Base: 575, Max: 1500}, "plpmtud: base of 575 bytes, must be 576 to 65535"},
		{Config{Base: 65_536, Max: 65_536}, "plpmtud: base of 65536 bytes, must be 576 to 65535"},
		{Config{Min: 575, Max: 1500}, "plpmtud: minimum of 575 bytes, must be 576 to the base of 1200"},
		{Config{Min: 1280, Max: 1500}, "plpmtud: minimum of 1280 bytes, must be 576 to the base of 1200"},
		{Config{}, "plpmtud: maximum of 0 bytes, must be at least the base of 1200"},
		{Config{Max: 1500, Raise: -1}, "plpmtud: raise timer of -1ns, must not be negative"},
	} {
		_, err := New(c.config)
		assert.EqualError(t, err, c.err)
	}
}
