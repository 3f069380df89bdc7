package top

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/internal/stats"
)

// path is the connection of a rank with a peer.
type path struct {
	from int
	stats.Peer
}

// paths shows the connections over the network, those first that have sent most again.
func (s Screen) paths(r Report, room int) []string {
	var all []path
	more := 0
	for _, row := range r.Ranks {
		more += row.MorePeers
		for _, p := range row.Peers {
			all = append(all, path{row.Rank.Rank, p})
		}
	}
	if len(all) == 0 {
		return []string{cut("no connections over the network, or their transport does not tell of them", s.Width)}
	}
	slices.SortStableFunc(all, func(a, b path) int {
		return cmp.Or(cmp.Compare(b.Resent, a.Resent), cmp.Compare(b.RoundTrip, a.RoundTrip))
	})
	lines := []string{s.paint(heading, cut("   FROM      TO  RESENT     RTT", s.Width))}
	all = all[min(max(0, s.Offset), len(all)-1):]
	if left := len(all) - (room - 2); room > 0 && left > 0 {
		all, more = all[:len(all)-left], more+left
	}
	for _, p := range all {
		lines = append(lines, cut(fmt.Sprintf("%7d %7d %7s %7s", p.from, p.Rank, count(float64(p.Resent)), span(p.RoundTrip)), s.Width))
	}
	if more > 0 {
		lines = append(lines, cut(fmt.Sprintf("and %d more, which are better", more), s.Width))
	}
	return lines
}
