package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"cmp"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
)

//export sctpmpi_Dims_create
func sctpmpi_Dims_create(nodes, n C.int, dims *C.int) C.int {
	list, err := intsAt(dims, n)
	if err != nil {
		return fail(nil, err)
	}
	if err := core.Dims(int(nodes), list); err != nil {
		return fail(nil, err)
	}
	intsTo(dims, n, list)
	return 0
}

// kindOf is the constant for a kind of topology.
func kindOf(t topology.Topology) C.int {
	switch t.(type) {
	case *topology.Cart:
		return 211
	case *topology.Graph:
		return 212
	case *topology.DistGraph:
		return 213
	}
	return undefined
}

//export sctpmpi_Topo_test
func sctpmpi_Topo_test(comm C.uintptr_t, status *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	*status = kindOf(c.Topology())
	return 0
}

// gridOf is a grid as the program describes it.
func gridOf(n C.int, dims, periods *C.int) (d []int, p []bool, err error) {
	if n < 0 {
		return nil, nil, faultf(errDims, "%d dimensions", int(n))
	}
	if d, err = intsAt(dims, n); err != nil {
		return nil, nil, err
	}
	p, err = truthsAt(periods, n)
	return d, p, err
}

//export sctpmpi_Cart_create
func sctpmpi_Cart_create(comm C.uintptr_t, n C.int, dims, periods *C.int, reorder C.int, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	d, p, err := gridOf(n, dims, periods)
	return c.construct(collective.Create, newcomm, err, func() (*core.Comm, error) { return c.CartCreate(d, p, reorder != 0) })
}

//export sctpmpi_Cart_map
func sctpmpi_Cart_map(comm C.uintptr_t, n C.int, dims, periods, newrank *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	d, p, err := gridOf(n, dims, periods)
	if err != nil {
		return fail(c, err)
	}
	rank, err := c.CartMap(d, p)
	*newrank = rankFor(rank)
	return fail(c, err)
}

//export sctpmpi_Cartdim_get
func sctpmpi_Cartdim_get(comm C.uintptr_t, n *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	dims, _, _, err := c.CartGet()
	*n = C.int(len(dims))
	return fail(c, err)
}

//export sctpmpi_Cart_get
func sctpmpi_Cart_get(comm C.uintptr_t, room C.int, dims, periods, coords *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	d, p, at, err := c.CartGet()
	if err != nil {
		return fail(c, err)
	}
	if int(room) < len(d) {
		return fail(c, faultf(errArg, "room for %d of %d dimensions", int(room), len(d)))
	}
	periodic := make([]int, len(p))
	for i, v := range p {
		periodic[i] = int(truth(v))
	}
	intsTo(dims, room, d)
	intsTo(periods, room, periodic)
	intsTo(coords, room, at)
	return 0
}

//export sctpmpi_Cart_rank
func sctpmpi_Cart_rank(comm C.uintptr_t, coords, rank *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	dims, _, _, err := c.CartGet()
	if err != nil {
		return fail(c, err)
	}
	at, err := intsAt(coords, C.int(len(dims)))
	if err != nil {
		return fail(c, err)
	}
	r, err := c.CartRank(at)
	*rank = rankFor(r)
	return fail(c, err)
}

//export sctpmpi_Cart_coords
func sctpmpi_Cart_coords(comm C.uintptr_t, rank, room C.int, coords *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	at, err := c.CartCoords(int(rank))
	if err != nil {
		return fail(c, err)
	}
	if int(room) < len(at) {
		return fail(c, faultf(errArg, "room for %d of %d dimensions", int(room), len(at)))
	}
	intsTo(coords, room, at)
	return 0
}

//export sctpmpi_Cart_shift
func sctpmpi_Cart_shift(comm C.uintptr_t, direction, by C.int, source, dest *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	from, to, err := c.CartShift(int(direction), int(by))
	if err != nil {
		return fail(c, err)
	}
	*source, *dest = rankFor(from), rankFor(to)
	return 0
}

//export sctpmpi_Cart_sub
func sctpmpi_Cart_sub(comm C.uintptr_t, remain *C.int, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	dims, _, _, err := c.CartGet()
	if err != nil {
		return fail(c, err)
	}
	stay, err := truthsAt(remain, C.int(len(dims)))
	return c.construct(collective.Split, newcomm, err, func() (*core.Comm, error) { return c.CartSub(stay) })
}

// graphOf is a graph as the program describes it.
func graphOf(nodes C.int, index, edges *C.int) (ends, to []int, err error) {
	if ends, err = intsAt(index, nodes); err != nil || nodes == 0 {
		return nil, nil, err
	}
	to, err = intsAt(edges, C.int(ends[nodes-1]))
	return ends, to, err
}

//export sctpmpi_Graph_create
func sctpmpi_Graph_create(comm C.uintptr_t, nodes C.int, index, edges *C.int, reorder C.int, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	ends, to, err := graphOf(nodes, index, edges)
	return c.construct(collective.Create, newcomm, err, func() (*core.Comm, error) { return c.GraphCreate(ends, to, reorder != 0) })
}

//export sctpmpi_Graph_map
func sctpmpi_Graph_map(comm C.uintptr_t, nodes C.int, index, edges, newrank *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	ends, to, err := graphOf(nodes, index, edges)
	if err != nil {
		return fail(c, err)
	}
	rank, err := c.GraphMap(ends, to)
	*newrank = rankFor(rank)
	return fail(c, err)
}

//export sctpmpi_Graphdims_get
func sctpmpi_Graphdims_get(comm C.uintptr_t, nodes, edges *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	ends, to, err := c.GraphGet()
	*nodes, *edges = C.int(len(ends)), C.int(len(to))
	return fail(c, err)
}

//export sctpmpi_Graph_get
func sctpmpi_Graph_get(comm C.uintptr_t, nodes, edges C.int, index, to *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	ends, all, err := c.GraphGet()
	intsTo(index, nodes, ends)
	intsTo(to, edges, all)
	return fail(c, err)
}

//export sctpmpi_Graph_neighbors_count
func sctpmpi_Graph_neighbors_count(comm C.uintptr_t, rank C.int, n *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	all, err := c.GraphNeighbors(int(rank))
	*n = C.int(len(all))
	return fail(c, err)
}

//export sctpmpi_Graph_neighbors
func sctpmpi_Graph_neighbors(comm C.uintptr_t, rank, room C.int, neighbors *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	all, err := c.GraphNeighbors(int(rank))
	intsTo(neighbors, room, all)
	return fail(c, err)
}

// Addresses of arrays of weights that mean something else.
const (
	unweighted   = 10
	weightsEmpty = 11
)

// adjacentOf are the edges between this rank and others, in one direction.
func adjacentOf(n C.int, ranks, weights *C.int) (a topology.Adjacent, err error) {
	if a.Ranks, err = intsAt(ranks, n); err != nil {
		return a, err
	}
	switch uintptr(unsafe.Pointer(weights)) {
	case unweighted:
	case weightsEmpty:
		a.Weights = []int{}
	default:
		a.Weights, err = intsAt(weights, n)
	}
	return a, err
}

//export sctpmpi_Dist_graph_create_adjacent
func sctpmpi_Dist_graph_create_adjacent(comm C.uintptr_t, indegree C.int, sources, sourceWeights *C.int, outdegree C.int,
	destinations, destWeights *C.int, info C.uintptr_t, reorder C.int, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	from, err := adjacentOf(indegree, sources, sourceWeights)
	to, wrong := adjacentOf(outdegree, destinations, destWeights)
	_, unknown := infoOf(info)
	return c.construct(collective.Create, newcomm, cmp.Or(err, wrong, unknown), func() (*core.Comm, error) {
		return c.DistGraphCreateAdjacent(from, to, reorder != 0)
	})
}

//export sctpmpi_Dist_graph_create
func sctpmpi_Dist_graph_create(comm C.uintptr_t, n C.int, sources, degrees, destinations, weights *C.int, info C.uintptr_t,
	reorder C.int, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	edges, weighing, err := edgesOf(n, sources, degrees, destinations, weights)
	_, unknown := infoOf(info)
	return c.construct(collective.Create, newcomm, cmp.Or(err, unknown), func() (*core.Comm, error) {
		return c.DistGraphCreate(edges, weighing, reorder != 0)
	})
}

// edgesOf are any edges of a graph: for each of n sources, so many destinations as its degree.
func edgesOf(n C.int, sources, degrees, destinations, weights *C.int) (edges []topology.Edge, w core.Weighing, err error) {
	from, err := intsAt(sources, n)
	if err != nil {
		return nil, 0, err
	}
	each, err := intsAt(degrees, n)
	if err != nil {
		return nil, 0, err
	}
	total := 0
	for _, d := range each {
		if total += d; d < 0 || total > maxEdges {
			return nil, 0, faultf(errArg, "a degree of %d; all together must be from 0 to %d", d, maxEdges)
		}
	}
	a, err := adjacentOf(C.int(total), destinations, weights)
	if err != nil {
		return nil, 0, err
	}
	w = core.Weighted
	switch {
	case a.Weights == nil:
		w = core.Unweighted
	case len(a.Weights) != total:
		return nil, 0, faultf(errArg, "MPI_WEIGHTS_EMPTY for %d edges", total)
	}
	for i, d := range each {
		for range d {
			k := len(edges)
			e := topology.Edge{Source: int64(from[i]), Destination: int64(a.Ranks[k])}
			if w == core.Weighted {
				e.Weight = int64(a.Weights[k])
			}
			edges = append(edges, e)
		}
	}
	return edges, w, nil
}

// maxEdges bounds the edges that a call gives.
const maxEdges = 1 << 26

//export sctpmpi_Dist_graph_neighbors_count
func sctpmpi_Dist_graph_neighbors_count(comm C.uintptr_t, indegree, outdegree, weighted *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	from, to, err := c.DistGraphNeighbors()
	*indegree, *outdegree = C.int(len(from.Ranks)), C.int(len(to.Ranks))
	*weighted = truth(from.Weights != nil || to.Weights != nil)
	return fail(c, err)
}

//export sctpmpi_Dist_graph_neighbors
func sctpmpi_Dist_graph_neighbors(comm C.uintptr_t, indegree C.int, sources, sourceWeights *C.int, outdegree C.int, destinations, destWeights *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	from, to, err := c.DistGraphNeighbors()
	if err != nil {
		return fail(c, err)
	}
	intsTo(sources, indegree, from.Ranks)
	intsTo(destinations, outdegree, to.Ranks)
	weightsTo(sourceWeights, indegree, from.Weights)
	weightsTo(destWeights, outdegree, to.Weights)
	return 0
}

// weightsTo writes weights to an array, if the program has given one.
func weightsTo(array *C.int, room C.int, weights []int) {
	if at := uintptr(unsafe.Pointer(array)); at != unweighted && at != weightsEmpty {
		intsTo(array, room, weights)
	}
}
