package plpmtud

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RFC 8899, sections 3 (item 4) and 5.3.3: probes are lost for other reasons, too.
func TestRandomLossNeverMakesMTUTooLargeAndDelaysItOnly(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		mtu := DefaultBase + rng.IntN(maxPacket-DefaultBase+1)
		if seed%2 == 0 {
			mtu = common[rng.IntN(len(common))]
		}
		loss := 0.3 * rng.Float64()
		r := start(t, Config{Max: mtu + rng.IntN(maxPacket-mtu+1)}, mtu)
		r.drop = func() bool {
			require.LessOrEqual(t, r.MTU(), mtu)
			return rng.Float64() < loss
		}
		found := r.search()
		for rounds := 0; mtu >= found+step(found); rounds++ {
			require.Less(t, rounds, 20, "seed %d: %d on a path of %d", seed, found, mtu)
			found = r.raise()
		}
		require.LessOrEqual(t, found, mtu)
	}
}

// With the loss of real paths the first search finds it.
func TestALittleLossIsNoReasonToWaitForTheRaiseTimer(t *testing.T) {
	missed := 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		r := start(t, Config{Max: 9000}, 1500)
		r.drop = func() bool { return rng.Float64() < 0.02 }
		if r.search() != 1500 {
			missed++
		}
	}
	assert.Zero(t, missed)
}

// Section 5.3.3: while the path is down, losses say nothing about sizes.
func TestAnOutageOnlyDelaysTheSearch(t *testing.T) {
	for begin := time.Duration(0); begin < time.Second; begin += 7 * time.Millisecond {
		for _, length := range []time.Duration{3 * rto, time.Second, 10 * time.Second, time.Hour} {
			r := start(t, Config{Min: minBase, Max: 65_536}, 9000)
			r.drop = func() bool { return begin <= r.now && r.now < begin+length }
			r.search()
			for r.now < begin+2*length { // what waits in ERROR
				r.now += rto
				r.search()
			}
			require.Equal(t, 9000, r.MTU(), "down from %v for %v", begin, length)
			require.Equal(t, stateComplete, r.state)
		}
	}
}
