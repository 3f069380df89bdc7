package topology

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Edge is an edge of a distributed graph, which any rank may give.
type Edge struct{ Source, Destination, Weight int64 }

// Ends calls f with the ranks at the ends of an edge, once if they are the same.
func (e Edge) Ends(f func(rank int)) {
	f(int(e.Source))
	if e.Destination != e.Source {
		f(int(e.Destination))
	}
}

// CheckEdges checks the edges that a rank gives to a graph of size ranks.
func CheckEdges(op string, size int, edges []Edge) *mpierr.Error {
	for i, e := range edges {
		switch {
		case e.Source < 0 || e.Source >= int64(size):
			return mpierr.Invalid(op, rpi.ErrRank, "the source of edge %d is rank %d, which is not in a communicator of %s", i, e.Source, mpierr.Plural(size, "rank"))
		case e.Destination < 0 || e.Destination >= int64(size):
			return mpierr.Invalid(op, rpi.ErrRank, "the destination of edge %d is rank %d, which is not in a communicator of %s", i, e.Destination, mpierr.Plural(size, "rank"))
		case e.Weight < 0:
			return mpierr.Invalid(op, rpi.ErrArg, "the weight of edge %d is %d; weights are not negative", i, e.Weight)
		}
	}
	return nil
}

// EdgesOf sorts the edges with an end at rank into those that lead to it and from it. Several between two ranks are in the order
// in which they are given.
func EdgesOf(rank int, edges []Edge, weighted bool) (sources, destinations Adjacent) {
	for _, e := range edges {
		if e.Destination == int64(rank) {
			sources.add(int(e.Source), e.Weight, weighted)
		}
		if e.Source == int64(rank) {
			destinations.add(int(e.Destination), e.Weight, weighted)
		}
	}
	if weighted && sources.Weights == nil {
		sources.Weights = []int{}
	}
	if weighted && destinations.Weights == nil {
		destinations.Weights = []int{}
	}
	return sources, destinations
}

func (a *Adjacent) add(rank int, weight int64, weighted bool) {
	a.Ranks = append(a.Ranks, rank)
	if weighted {
		a.Weights = append(a.Weights, int(weight))
	}
}
