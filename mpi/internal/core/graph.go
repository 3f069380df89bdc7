package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
)

// GraphCreate makes a communicator of the first ranks of c, which form a graph. It is nil at the others. Ranks keep their order.
func (c *View) GraphCreate(index, edges []int, reorder bool) (*Comm, error) {
	const op = "mpi.GraphCreate"
	graph, bad := topology.NewGraph(op, index, edges)
	agreed := collective.Mix(len(index), number(reorder))
	for _, all := range [][]int{index, edges} {
		for _, n := range all {
			agreed = collective.Mix(agreed, n)
		}
	}
	if bad != nil {
		return c.createWith(op, 0, agreed, nil, bad)
	}
	return c.createWith(op, graph.Size(), agreed, graph, nil)
}

func (c *View) graph(op string) (*topology.Graph, error) {
	return topologyOf[*topology.Graph](c, op, "graph", "GraphCreate")
}

// GraphGet returns what the graph was made of.
func (c *View) GraphGet() (index, edges []int, err error) {
	graph, err := c.graph("mpi.GraphGet")
	if err != nil {
		return nil, nil, err
	}
	index, edges = graph.Get()
	return index, edges, nil
}

// GraphNeighbors returns the neighbours of a rank.
func (c *View) GraphNeighbors(rank int) ([]int, error) {
	const op = "mpi.GraphNeighbors"
	graph, err := c.graph(op)
	if err != nil {
		return nil, err
	}
	return found(graph.Of(op, rank))
}

// GraphMap returns the rank that this process would have in a graph, Undefined if none.
func (c *View) GraphMap(index, edges []int) (int, error) {
	const op = "mpi.GraphMap"
	if err := c.usable(op); err != nil {
		return Undefined, err
	}
	graph, bad := topology.NewGraph(op, index, edges)
	if bad != nil {
		return Undefined, bad
	}
	return c.place(op, graph.Size())
}

// DistGraphCreateAdjacent makes a communicator whose ranks form a graph, of which each rank gives its own edges. Ranks keep
// their order.
func (c *View) DistGraphCreateAdjacent(sources, destinations topology.Adjacent, reorder bool) (*Comm, error) {
	const op = "mpi.DistGraphCreateAdjacent"
	graph, bad := topology.NewDistGraph(op, c.Size(), sources, destinations)
	if bad != nil {
		return c.createWith(op, 0, 0, nil, bad)
	}
	return c.createWith(op, c.Size(), number(reorder), graph, nil)
}
