package mpi

import (
	"slices"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
)

// Topology is a kind of virtual topology (MPI 4.1, chapter 8).
type Topology int

// The kinds of topologies.
const (
	NoTopology        Topology = iota
	CartTopology               // made by CartCreate and CartSub
	GraphTopology              // made by GraphCreate
	DistGraphTopology          // made by DistGraphCreate and DistGraphCreateAdjacent
)

func (t Topology) String() string {
	if t < NoTopology || t > DistGraphTopology {
		t = NoTopology
	}
	return [...]string{"none", "Cartesian", "graph", "distributed graph"}[t]
}

// Topology is the kind of topology that c has (MPI_TOPO_TEST; MPI 4.1, section 8.5.5). Dup keeps it.
func (c *Comm) Topology() Topology {
	switch c.core().Topology().(type) {
	case *topology.Cart:
		return CartTopology
	case *topology.Graph:
		return GraphTopology
	case *topology.DistGraph:
		return DistGraphTopology
	}
	return NoTopology
}

// GraphCreate returns a communicator whose ranks form a graph that all of them know (MPI_GRAPH_CREATE; MPI 4.1, section 8.5.3).
// index[i] is the number of neighbours of the ranks up to i, and edges are the neighbours of all, those of rank 0 first. Ranks
// beyond those of the graph get nil. A rank may be its own neighbour, and others' more than once. Ranks keep their
// order, whatever reorder says. Large graphs are better made by DistGraphCreate. Collective; all ranks pass the same.
func (c *Comm) GraphCreate(index, edges []int, reorder bool) (*Comm, error) {
	return commOr(c.core().GraphCreate(index, edges, reorder))
}

// GraphGet returns what GraphCreate was given (MPI_GRAPH_GET, MPI_GRAPHDIMS_GET; section 8.5.5). ErrTopology: c has no such
// graph.
func (c *Comm) GraphGet() (index, edges []int, err error) {
	index, edges, err = c.core().GraphGet()
	return index, edges, public(err)
}

// GraphNeighbors returns the neighbours of a rank (MPI_GRAPH_NEIGHBORS, MPI_GRAPH_NEIGHBORS_COUNT; section 8.5.5).
func (c *Comm) GraphNeighbors(rank int) ([]int, error) { return valueOr(c.core().GraphNeighbors(rank)) }

// GraphMap returns the rank that GraphCreate would give this process, Undefined if none (MPI_GRAPH_MAP; section 8.5.8). It
// is local.
func (c *Comm) GraphMap(index, edges []int) (int, error) {
	return valueOr(c.core().GraphMap(index, edges))
}

// Adjacent are ranks to which a rank has edges, or from which. Weights has a number for each that is not negative, such as
// how much is sent; nil if edges have no weights (MPI_UNWEIGHTED).
type Adjacent struct {
	Ranks   []int
	Weights []int
}

// DistGraphCreateAdjacent returns a communicator whose ranks form a graph of which each rank knows its own edges alone
// (MPI_DIST_GRAPH_CREATE_ADJACENT; MPI 4.1, section 8.5.4): it receives from sources and sends to destinations. If rank i is a
// source of rank j, then j is a destination of i, as many times. This is not checked: neighbourhood collectives of ranks
// that do not agree wait for each other. All ranks give weights, or none does. Ranks keep their order. Collective.
func (c *Comm) DistGraphCreateAdjacent(sources, destinations Adjacent, reorder bool) (*Comm, error) {
	return commOr(c.core().DistGraphCreateAdjacent(topology.Adjacent(sources), topology.Adjacent(destinations), reorder))
}

// Edge is an edge of a graph, from Source to Destination. The weight is not negative.
type Edge struct{ Source, Destination, Weight int }

// DistGraphCreate is DistGraphCreateAdjacent for ranks that know edges of others (MPI_DIST_GRAPH_CREATE; section 8.5.4):
// each rank gives any edges, and the graph has those of all. It has weights if an edge has one other than 0. A rank's
// neighbours are in the order of the ranks that have given the edges, and of the edges there. Collective.
func (c *Comm) DistGraphCreate(edges []Edge, reorder bool) (*Comm, error) {
	weighing := core.WeighsAsOthers
	if slices.ContainsFunc(edges, func(e Edge) bool { return e.Weight != 0 }) {
		weighing = core.Weighted
	}
	graph, err := c.core().DistGraphCreate(*(*[]topology.Edge)(unsafe.Pointer(&edges)), weighing, reorder)
	return newComm(graph), public(err)
}

// DistGraphNeighbors returns the ranks from which this one receives in neighbourhood collectives, and those to which it sends
// (MPI_DIST_GRAPH_NEIGHBORS, MPI_DIST_GRAPH_NEIGHBORS_COUNT; section 8.5.5). ErrTopology: c has no distributed graph.
func (c *Comm) DistGraphNeighbors() (sources, destinations Adjacent, err error) {
	from, to, err := c.core().DistGraphNeighbors()
	return Adjacent(from), Adjacent(to), public(err)
}
