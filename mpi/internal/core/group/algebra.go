package group

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Union is the processes of g, in its order, then those of h that are not in g, in its order (MPI_GROUP_UNION).
func (g *Group) Union(h *Group) *Group {
	added := h.choose(func(m matching.Rank) bool { return !g.Has(m) })
	if len(added) == 0 {
		return g.orEmpty()
	}
	all := make([]matching.Rank, 0, g.Size()+len(added))
	return Of(append(append(all, g.Members()...), added...))
}

// Intersection is the processes of g that are in h too, in the order of g (MPI_GROUP_INTERSECTION).
func (g *Group) Intersection(h *Group) *Group { return g.keep(h.Has) }

// Difference is the processes of g that are not in h, in the order of g (MPI_GROUP_DIFFERENCE).
func (g *Group) Difference(h *Group) *Group {
	return g.keep(func(m matching.Rank) bool { return !h.Has(m) })
}

// keep is the group of those that wanted holds for.
func (g *Group) keep(wanted func(matching.Rank) bool) *Group {
	kept := g.choose(wanted)
	if len(kept) == g.Size() {
		return g.orEmpty()
	}
	return Of(kept)
}

func (g *Group) choose(wanted func(matching.Rank) bool) (chosen []matching.Rank) {
	for i := range g.Size() {
		if m := g.Member(i); wanted(m) {
			chosen = append(chosen, m)
		}
	}
	return chosen
}

func (g *Group) orEmpty() *Group {
	if g == nil {
		return First(0)
	}
	return g
}

// Include is the processes with these ranks, in this order (MPI_GROUP_INCL). op is for its errors.
func (g *Group) Include(op string, ranks []int) (*Group, error) {
	if _, err := g.marked(op, ranks); err != nil {
		return nil, err
	}
	members := make([]matching.Rank, len(ranks))
	for i, r := range ranks {
		members[i] = g.Member(r)
	}
	return Of(members), nil
}

// Exclude is the processes without those with these ranks (MPI_GROUP_EXCL).
func (g *Group) Exclude(op string, ranks []int) (*Group, error) {
	out, err := g.marked(op, ranks)
	if err != nil {
		return nil, err
	}
	members := make([]matching.Rank, 0, g.Size()-len(ranks))
	for i := range g.Size() {
		if !out[i] {
			members = append(members, g.Member(i))
		}
	}
	return Of(members), nil
}

// marked checks that ranks are of the group, each once, and says which they are.
func (g *Group) marked(op string, ranks []int) ([]bool, error) {
	marks := make([]bool, g.Size())
	for _, r := range ranks {
		if r < 0 || r >= g.Size() {
			return nil, mpierr.Invalid(op, rpi.ErrRank, "rank %d is not in a group of %s", r, mpierr.Plural(g.Size(), "member"))
		}
		if marks[r] {
			return nil, mpierr.Invalid(op, rpi.ErrRank, "rank %d is named twice", r)
		}
		marks[r] = true
	}
	return marks, nil
}

// Range stands for the ranks First, First+Stride, First+2·Stride and so on, up to Last.
type Range struct{ First, Last, Stride int }

// IncludeRanges is Include of the ranks of all ranges, one after the other (MPI_GROUP_RANGE_INCL).
func (g *Group) IncludeRanges(op string, ranges []Range) (*Group, error) {
	ranks, err := g.expand(op, ranges)
	if err != nil {
		return nil, err
	}
	return g.Include(op, ranks)
}

// ExcludeRanges is Exclude of the ranks of all ranges (MPI_GROUP_RANGE_EXCL).
func (g *Group) ExcludeRanges(op string, ranges []Range) (*Group, error) {
	ranks, err := g.expand(op, ranges)
	if err != nil {
		return nil, err
	}
	return g.Exclude(op, ranks)
}

// expand lists the ranks of ranges. It stops at the first that is not in the group, so its work is bounded.
func (g *Group) expand(op string, ranges []Range) (ranks []int, err error) {
	for _, r := range ranges {
		switch {
		case r.Stride == 0:
			return nil, mpierr.Invalid(op, rpi.ErrArg, "the stride of the range from %d to %d is 0", r.First, r.Last)
		case r.First < r.Last && r.Stride < 0 || r.First > r.Last && r.Stride > 0:
			return nil, mpierr.Invalid(op, rpi.ErrArg, "the stride %d does not lead from %d to %d", r.Stride, r.First, r.Last)
		}
		for rank := r.First; ; rank += r.Stride {
			if rank < 0 || rank >= g.Size() {
				return nil, mpierr.Invalid(op, rpi.ErrRank, "rank %d of the range from %d to %d is not in a group of %s",
					rank, r.First, r.Last, mpierr.Plural(g.Size(), "member"))
			}
			if len(ranks) == g.Size() {
				return nil, mpierr.Invalid(op, rpi.ErrRank, "rank %d is named twice", rank)
			}
			ranks = append(ranks, rank)
			// In this form nothing overflows.
			if left := r.Last - rank; r.Stride > 0 && left < r.Stride || r.Stride < 0 && left > r.Stride {
				break
			}
		}
	}
	return ranks, nil
}

// Translate returns the rank in h of each process with one of these ranks in g (MPI_GROUP_TRANSLATE_RANKS): Undefined
// if it is not in h. procNull stays what it is.
func (g *Group) Translate(op string, ranks []int, h *Group, procNull int) ([]int, error) {
	translated := make([]int, len(ranks))
	for i, r := range ranks {
		switch {
		case r == procNull:
			translated[i] = r
		case r < 0 || r >= g.Size():
			return nil, mpierr.Invalid(op, rpi.ErrRank, "rank %d is not in a group of %s", r, mpierr.Plural(g.Size(), "member"))
		default:
			translated[i] = h.Rank(g.Member(r))
		}
	}
	return translated, nil
}
