package enginetest

import (
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each link goes down and heals by its own packets, and is never down for more than it may be.
func TestLinksAreCutAndHeal(t *testing.T) {
	l := &cut{cuts: Cuts{Up: 50, Down: 12}, random: rand.New(rand.NewPCG(1, 1)), links: map[netip.AddrPort]*link{}}
	a, b := netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:2")
	cuts, lost := 0, map[netip.AddrPort]int{}
	for range 2000 {
		for _, to := range []netip.AddrPort{a, b} {
			if l.arrives(to) {
				lost[to] = 0
				continue
			}
			if lost[to]++; lost[to] == 1 {
				cuts++
			}
			require.LessOrEqual(t, lost[to], 12)
		}
	}
	require.Greater(t, cuts, 50)
}
