//go:build !race

package sctprpi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
)

// TestEagerMessagesAllocateNothing: neither the sender nor the receiver of a short
// message, copied or zero-copy, in steady state.
func TestEagerMessagesAllocateNothing(t *testing.T) {
	for _, n := range []int{8, copyLimit - header.Size, 60 << 10} {
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
			assert.Less(t, rpitest.Allocations(20_000, exchange), 0.1, "for each message")
			require.NoError(t, r.Err)
		})
	}
}
