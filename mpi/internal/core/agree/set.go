package agree

import (
	"iter"
	"math/bits"
	"slices"
)

// Set is a set of ranks. The nil Set is empty.
type Set []uint64

// SetOf is the set of these ranks.
func SetOf(ranks ...int) Set {
	var s Set
	for _, r := range ranks {
		s.Add(r)
	}
	return s
}

// Has reports whether the set has a rank.
func (s Set) Has(rank int) bool { return rank/64 < len(s) && s[rank/64]&(1<<(rank%64)) != 0 }

// Add adds a rank, which is not negative.
func (s *Set) Add(rank int) {
	for rank/64 >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[rank/64] |= 1 << (rank % 64)
}

// Union is a new set, of all ranks in s or t.
func (s Set) Union(t Set) Set {
	if len(s) < len(t) {
		s, t = t, s
	}
	u := slices.Clone(s)
	for i, word := range t {
		u[i] |= word
	}
	return u
}

// Intersection is a new set, of the ranks in both s and t.
func (s Set) Intersection(t Set) Set {
	both := slices.Clone(s[:min(len(s), len(t))])
	for i := range both {
		both[i] &= t[i]
	}
	return both
}

// Covers reports whether all ranks of t are in s.
func (s Set) Covers(t Set) bool {
	for i, word := range t {
		if i < len(s) {
			word &^= s[i]
		}
		if word != 0 {
			return false
		}
	}
	return true
}

// Ranks yields the ranks in order.
func (s Set) Ranks() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(i*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
