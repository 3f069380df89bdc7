package topology

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Adjacent are the edges between a process and others, in one direction, and their weights. Weights is nil in a graph without
// weights (MPI_UNWEIGHTED).
type Adjacent struct {
	Ranks   []int
	Weights []int
}

// Clone returns a copy.
func (a Adjacent) Clone() Adjacent {
	c := Adjacent{Ranks: slices.Clone(a.Ranks)}
	if a.Weights != nil {
		c.Weights = append([]int{}, a.Weights...)
	}
	return c
}

// DistGraph is a graph of which each process knows its own edges (section 8.5.4).
type DistGraph struct{ sources, destinations Adjacent }

// NewDistGraph makes what one process knows of a graph of size processes: the edges that lead to it and from it. An order of
// several edges between two processes must be the same at both.
func NewDistGraph(op string, size int, sources, destinations Adjacent) (*DistGraph, *mpierr.Error) {
	if err := sources.check(op, "source", size); err != nil {
		return nil, err
	}
	if err := destinations.check(op, "destination", size); err != nil {
		return nil, err
	}
	sources, destinations = sources.Clone(), destinations.Clone()
	for _, a := range []*Adjacent{&sources, &destinations} { // no edges have any weights
		if len(a.Ranks) == 0 && (sources.Weights != nil || destinations.Weights != nil) {
			a.Weights = []int{}
		}
	}
	if (sources.Weights == nil) != (destinations.Weights == nil) {
		return nil, mpierr.Invalid(op, rpi.ErrArg, "there are weights of sources alone, or of destinations alone: all edges have weights, or none")
	}
	return &DistGraph{sources, destinations}, nil
}

func (a Adjacent) check(op, what string, size int) *mpierr.Error {
	for i, rank := range a.Ranks {
		if rank < 0 || rank >= size {
			return mpierr.Invalid(op, rpi.ErrRank, "%s %d is rank %d, which is not in a communicator of %s", what, i, rank, mpierr.Plural(size, "rank"))
		}
	}
	return weights(op, what, a.Weights, len(a.Ranks))
}

// weights checks the weights of n edges, nil if there are none.
func weights(op, what string, weights []int, n int) *mpierr.Error {
	if weights == nil {
		return nil
	}
	if len(weights) != n {
		return mpierr.Invalid(op, rpi.ErrArg, "there are %s for %s", mpierr.Plural(len(weights), "weight"), mpierr.Plural(n, what))
	}
	for i, w := range weights {
		if w < 0 {
			return mpierr.Invalid(op, rpi.ErrArg, "the weight of %s %d is %d; weights are not negative", what, i, w)
		}
	}
	return nil
}

// Adjacent returns copies of the edges that lead to the process and from it (MPI_DIST_GRAPH_NEIGHBORS; section 8.5.5).
func (g *DistGraph) Adjacent() (sources, destinations Adjacent) {
	return g.sources.Clone(), g.destinations.Clone()
}

// Neighbors implements Topology, for the process that has the graph.
func (g *DistGraph) Neighbors(int) (sources, destinations []int32) {
	return ranks(g.sources.Ranks), ranks(g.destinations.Ranks)
}

func ranks(all []int) []int32 {
	r := make([]int32, len(all))
	for i, rank := range all {
		r[i] = int32(rank)
	}
	return r
}
