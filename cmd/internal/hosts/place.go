package hosts

import (
	"fmt"
	"slices"
)

// Policy says which slots ranks get first.
type Policy string

// The policies.
const (
	// BySlot fills one host after the other.
	BySlot Policy = "slot"
	// ByNode gives each host one rank in turn.
	ByNode Policy = "node"
)

// Check says why there is no such policy, nil if there is.
func (p Policy) Check() error {
	if p != BySlot && p != ByNode {
		return fmt.Errorf("--map-by %s: there are slot and node", p)
	}
	return nil
}

// Place returns by rank which host of a list it runs on. Hosts of which none has a number of slots share the ranks. If there are more
// ranks than slots, and that is wanted, all hosts are filled again.
func (l List) Place(ranks int, policy Policy, oversubscribe bool) ([]int, error) {
	l = l.shared(ranks)
	switch {
	case policy.Check() != nil:
		return nil, policy.Check()
	case ranks > l.Slots() && !oversubscribe:
		return nil, fmt.Errorf("the hosts have %d slots, and the job has %d ranks; add slots, as in %s:%d, or say --oversubscribe",
			l.Slots(), ranks, l[0].Name, l[0].slots()+ranks-l.Slots())
	}
	places := make([]int, 0, ranks)
	for len(places) < ranks {
		places = append(places, l.round(ranks-len(places), policy)...)
	}
	return places, nil
}

// shared gives hosts of which none has a number of slots as many as each needs for its part of the ranks.
func (l List) shared(ranks int) List {
	if slices.ContainsFunc(l, func(h Host) bool { return h.Slots > 0 }) {
		return l
	}
	l = slices.Clone(l)
	for i := range l {
		l[i].Slots = ranks / len(l)
		if i < ranks%len(l) {
			l[i].Slots++
		}
	}
	return l
}

// round fills the slots of all hosts once, with so many ranks at most.
func (l List) round(ranks int, policy Policy) (places []int) {
	free := make([]int, len(l))
	for i, h := range l {
		free[i] = h.slots()
	}
	for len(places) < min(ranks, l.Slots()) {
		for i := range l {
			n := min(free[i], ranks-len(places))
			if policy == ByNode {
				n = min(n, 1)
			}
			free[i] -= n
			for range n {
				places = append(places, i)
			}
		}
	}
	return places
}
