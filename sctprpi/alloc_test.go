//go:build !race

package sctprpi

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// TestEagerMessagesAllocateNothing: neither the sender nor the receiver of a short
// message, copied or zero-copy, in steady state.
func TestEagerMessagesAllocateNothing(t *testing.T) {
	for _, n := range []int{8, copyLimit - matching.EnvelopeSize, 60 << 10} {
		t.Run(fmt.Sprintf("%d bytes", n), func(t *testing.T) {
			p, s, r := newPair(t, Options{}), new(rpi.Request), new(rpi.Request)
			out, in := make([]byte, n), make([]byte, n)
			tag := matching.Tag(0)
			exchange := func() {
				tag = (tag + 1) % 200
				p.send(t, 1, s, r, tag, out, in)
			}
			for range 2000 { // all streams and pools
				exchange()
			}
			assert.Less(t, allocations(20_000, exchange), 0.1, "for each message")
			require.NoError(t, r.Err)
		})
	}
}

// allocations returns how many there are in a run of f, in the best of several rounds.
// testing.AllocsPerRun leaves the program one processor, on which event loops may starve,
// and pools grow by what they would have acknowledged. They grow too where the machine is
// busy, and after a collection: once, while what f allocates is there in each round.
func allocations(runs int, f func()) float64 {
	const rounds = 5
	least := math.Inf(1)
	for range rounds {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs / rounds {
			f()
		}
		runtime.ReadMemStats(&after)
		least = min(least, float64(after.Mallocs-before.Mallocs)/float64(runs/rounds))
	}
	return least
}
