package top

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/sctpmpi/sctpmpi/internal/hang"
)

// anyRank stands, among ranks that are waited for, for whichever of them sends first.
const anyRank = -1

// waiters are ranks that wait for the same ones.
type waiters struct {
	ranks []int
	whom  map[int]bool
}

// gather makes groups of the ranks that wait for the same ones, by their lowest ranks, and counts how many wait for each.
func gather(rows []Row) (groups []*waiters, waited map[int]int) {
	byKey := make(map[string]*waiters)
	waited = make(map[int]int)
	for _, row := range rows {
		if !row.Waits() {
			continue
		}
		on := make(map[int]bool)
		for _, w := range row.Hang.Waits {
			if w.Any {
				on[anyRank] = true
			}
			for _, peer := range w.Peers {
				on[peer] = true
			}
		}
		key := fmt.Sprint(slices.Sorted(maps.Keys(on)))
		if byKey[key] == nil {
			byKey[key] = &waiters{whom: on}
			groups = append(groups, byKey[key])
		}
		byKey[key].ranks = append(byKey[key].ranks, row.Rank.Rank)
		for peer := range on {
			waited[peer]++
		}
	}
	return groups, waited
}

const (
	labelWidth = 16
	cellWidth  = 5
)

// matrix shows who waits for whom: a line for ranks that wait for the same ones, a column for each rank that is waited for. If there are
// too many columns those stay for which most ranks wait.
func (s Screen) matrix(r Report, room int) []string {
	groups, waited := gather(r.Ranks)
	if len(groups) == 0 {
		return []string{cut("no rank waits", s.Width)}
	}
	peers := slices.SortedFunc(maps.Keys(waited), func(a, b int) int { return cmp.Or(cmp.Compare(waited[b], waited[a]), cmp.Compare(a, b)) })
	hidden := 0
	if s.Width > 0 {
		most := max(1, (s.Width-labelWidth)/cellWidth)
		hidden = max(0, len(peers)-most)
		peers = peers[:len(peers)-hidden]
	}
	slices.Sort(peers)
	head := fit("WAITS \\ FOR", labelWidth, false)
	for _, peer := range peers {
		name := fmt.Sprint(peer)
		if peer == anyRank {
			name = "any"
		}
		head += fit(name, cellWidth, true)
	}
	lines := []string{s.paint(heading, cut(head, s.Width))}
	groups = groups[min(max(0, s.Offset), len(groups)-1):]
	legend := "● waits for it; any: for whichever rank sends first"
	if hidden > 0 {
		legend += fmt.Sprintf("; %d ranks that fewer wait for are left out", hidden)
	}
	if left := len(groups) - (room - 2); room > 0 && left > 0 {
		groups = groups[:len(groups)-left]
		legend += fmt.Sprintf("; and %d more lines below", left)
	}
	for _, g := range groups {
		label := hang.List(g.ranks)
		if ansi.StringWidth(label) > labelWidth-1 {
			label = fmt.Sprintf("%d … (%d)", g.ranks[0], len(g.ranks))
		}
		var b strings.Builder
		b.WriteString(fit(label, labelWidth, false))
		for _, peer := range peers {
			cell := "·"
			if g.whom[peer] {
				cell = "●"
			}
			b.WriteString(fit(cell, cellWidth, true))
		}
		lines = append(lines, cut(b.String(), s.Width))
	}
	return append(lines, cut(legend, s.Width))
}
