package top

import (
	"cmp"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
)

// Holding is a rank that others wait for and that does not wait itself.
type Holding struct {
	Rank  int         `json:"rank"`
	State sight.State `json:"state"`
	// Waiting is how many ranks wait for it, some of them for others that do.
	Waiting int `json:"waiting"`
}

// holding finds the ranks that hold others up. A rank that waits for any other waits for all that do not wait and may still send.
func holding(ranks []sight.Rank) (list []Holding) {
	waiters := make([][]int, len(ranks)) // by rank: which others wait for it
	var any []int                        // wait for any rank
	for i := range ranks {
		if !ranks[i].Waits() {
			continue
		}
		for _, w := range ranks[i].Hang.Waits {
			if w.Any {
				any = append(any, i)
			}
			for _, peer := range w.Peers {
				if peer >= 0 && peer < len(ranks) && peer != i {
					waiters[peer] = append(waiters[peer], i)
				}
			}
		}
	}
	seen := make([]int, len(ranks))
	for i := range ranks {
		from := waiters[i]
		switch state := ranks[i].State; {
		case state == sight.Waiting:
			continue
		case state == sight.Computing, state == sight.Stopped, state == sight.Silent, state == sight.Suspected:
			from = append(slices.Clone(from), any...)
		}
		if n := reached(waiters, from, seen, i+1); n > 0 {
			list = append(list, Holding{ranks[i].Rank, ranks[i].State, n})
		}
	}
	slices.SortStableFunc(list, func(a, b Holding) int {
		return cmp.Or(cmp.Compare(b.Waiting, a.Waiting), cmp.Compare(idle(b.State), idle(a.State)))
	})
	return list
}

// idle is 1 for a state in which a rank does nothing at all.
func idle(s sight.State) int {
	if s == sight.Computing {
		return 0
	}
	return 1
}

// reached counts the ranks from which one comes to some, and these. It marks them in seen.
func reached(waiters [][]int, next, seen []int, mark int) (n int) {
	for next = slices.Clone(next); len(next) > 0; {
		i := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[i] != mark {
			seen[i] = mark
			n++
			next = append(next, waiters[i]...)
		}
	}
	return n
}
