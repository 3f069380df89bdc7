package topology

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Graph is a graph of processes that each of them knows whole (section 8.5.3).
type Graph struct {
	// ends[i] is the number of neighbours of the ranks up to i. edges has the neighbours of all.
	ends      []int
	edges     []int32
	symmetric bool
}

// NewGraph makes a graph. index[i] is the number of neighbours of the first i+1 ranks, and edges are the neighbours of all, those of
// rank 0 first. A process may be its own neighbour, and others' more than once.
func NewGraph(op string, index, edges []int) (*Graph, *mpierr.Error) {
	before := 0
	for i, end := range index {
		if end < before {
			return nil, mpierr.Invalid(op, rpi.ErrArg, "index %d is %d, which is less than the one before, %d", i, end, before)
		}
		before = end
	}
	if before != len(edges) {
		return nil, mpierr.Invalid(op, rpi.ErrArg, "the last index is %d, but the number of edges is %d", before, len(edges))
	}
	g := &Graph{ends: slices.Clone(index), edges: make([]int32, len(edges))}
	for i, to := range edges {
		if to < 0 || to >= len(index) {
			return nil, mpierr.Invalid(op, rpi.ErrArg, "edge %d leads to rank %d; the graph has %s", i, to, mpierr.Plural(len(index), "rank"))
		}
		g.edges[i] = int32(to)
	}
	g.symmetric = g.isSymmetric()
	return g, nil
}

// Size is the number of processes.
func (g *Graph) Size() int { return len(g.ends) }

// Get returns copies of what the graph was made of (MPI_GRAPH_GET; section 8.5.5).
func (g *Graph) Get() (index, edges []int) { return slices.Clone(g.ends), ints(g.edges) }

// Of returns the neighbours of a rank (MPI_GRAPH_NEIGHBORS; section 8.5.5).
func (g *Graph) Of(op string, rank int) ([]int, *mpierr.Error) {
	if err := member(op, rank, len(g.ends)); err != nil {
		return nil, err
	}
	return ints(g.of(rank)), nil
}

func (g *Graph) of(rank int) []int32 {
	from := 0
	if rank > 0 {
		from = g.ends[rank-1]
	}
	return g.edges[from:g.ends[rank]]
}

// Symmetric reports whether any two processes have as many edges in one direction as in the other. Only then can there be
// neighbourhood collectives (section 8.6).
func (g *Graph) Symmetric() bool { return g.symmetric }

func (g *Graph) isSymmetric() bool {
	type pair struct{ from, to int32 }
	more := make(map[pair]int) // edges from the lower rank to the higher one than back
	for rank := range g.ends {
		for _, to := range g.of(rank) {
			switch from := int32(rank); {
			case from < to:
				more[pair{from, to}]++
			case from > to:
				more[pair{to, from}]--
			}
		}
	}
	for _, n := range more {
		if n != 0 {
			return false
		}
	}
	return true
}

// Neighbors implements Topology.
func (g *Graph) Neighbors(rank int) (sources, destinations []int32) { return g.of(rank), g.of(rank) }

func ints(ranks []int32) []int {
	all := make([]int, len(ranks))
	for i, r := range ranks {
		all[i] = int(r)
	}
	return all
}
