package main

// #include "sctpmpi.h"
import "C"

import (
	"cmp"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
)

func mpiDimsCreate(nodes int, list []int, dims *C.int) error {
	err := core.Dims(nodes, list)
	if err == nil {
		intsTo(dims, C.int(len(list)), list)
	}
	return err
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

func mpiTopoTest(c *comm) C.int { return kindOf(c.Topology()) }

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

func mpiCartCreate(c *comm, n C.int, dims, periods *C.int, reorder bool) (*core.Comm, error) {
	d, p, err := gridOf(n, dims, periods)
	if err != nil {
		return nil, err
	}
	return c.CartCreate(d, p, reorder)
}

func mpiCartMap(c *comm, n C.int, dims, periods *C.int) (C.int, error) {
	d, p, err := gridOf(n, dims, periods)
	if err != nil {
		return 0, err
	}
	rank, err := c.CartMap(d, p)
	return rankFor(rank), err
}

func mpiCartdimGet(c *comm) (int, error) {
	dims, _, _, err := c.CartGet()
	return len(dims), err
}

// roomForDims is the error of arrays that hold fewer elements than a grid has dimensions.
func roomForDims(room C.int, dims []int) error {
	if int(room) < len(dims) {
		return faultf(errArg, "room for %d of %d dimensions", int(room), len(dims))
	}
	return nil
}

func mpiCartGet(c *comm, room C.int, dims, periods, coords *C.int) error {
	d, p, at, err := c.CartGet()
	if err == nil {
		err = roomForDims(room, d)
	}
	if err != nil {
		return err
	}
	periodic := make([]int, len(p))
	for i, v := range p {
		periodic[i] = int(truth(v))
	}
	intsTo(dims, room, d)
	intsTo(periods, room, periodic)
	intsTo(coords, room, at)
	return nil
}

func mpiCartRank(c *comm, coords *C.int) (C.int, error) {
	dims, _, _, err := c.CartGet()
	if err != nil {
		return 0, err
	}
	at, err := intsAt(coords, C.int(len(dims)))
	if err != nil {
		return 0, err
	}
	r, err := c.CartRank(at)
	return rankFor(r), err
}

func mpiCartCoords(c *comm, rank, room C.int, coords *C.int) error {
	at, err := c.CartCoords(int(rank))
	if err == nil {
		err = roomForDims(room, at)
	}
	if err != nil {
		return err
	}
	intsTo(coords, room, at)
	return nil
}

func mpiCartShift(c *comm, direction, by int) (from, to int, err error) {
	return c.CartShift(direction, by)
}

func mpiCartSub(c *comm, remain *C.int) (*core.Comm, error) {
	dims, _, _, err := c.CartGet()
	if err != nil {
		return nil, err
	}
	stay, err := truthsAt(remain, C.int(len(dims)))
	if err != nil {
		return nil, err
	}
	return c.CartSub(stay)
}

// edgesTo are the edges of a graph as the program describes it, whose nodes' edges end at ends.
func edgesTo(ends []int, edges *C.int) ([]int, error) {
	if len(ends) == 0 {
		return nil, nil
	}
	return intsAt(edges, C.int(ends[len(ends)-1]))
}

func mpiGraphCreate(c *comm, ends []int, edges *C.int, reorder bool) (*core.Comm, error) {
	to, err := edgesTo(ends, edges)
	if err != nil {
		return nil, err
	}
	return c.GraphCreate(ends, to, reorder)
}

func mpiGraphMap(c *comm, ends []int, edges *C.int) (C.int, error) {
	to, err := edgesTo(ends, edges)
	if err != nil {
		return 0, err
	}
	rank, err := c.GraphMap(ends, to)
	return rankFor(rank), err
}

func mpiGraphdimsGet(c *comm) (nodes, edges int, err error) {
	ends, to, err := c.GraphGet()
	return len(ends), len(to), err
}

func mpiGraphGet(c *comm, nodes, edges C.int, index, to *C.int) error {
	ends, all, err := c.GraphGet()
	intsTo(index, nodes, ends)
	intsTo(to, edges, all)
	return err
}

func mpiGraphNeighborsCount(c *comm, rank C.int) (int, error) {
	all, err := c.GraphNeighbors(int(rank))
	return len(all), err
}

func mpiGraphNeighbors(c *comm, rank, room C.int, neighbors *C.int) error {
	all, err := c.GraphNeighbors(int(rank))
	intsTo(neighbors, room, all)
	return err
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

func mpiDistGraphCreateAdjacent(c *comm, indegree C.int, sources, sourceWeights *C.int, outdegree C.int, destinations, destWeights *C.int,
	_ *info.Info, reorder bool) (*core.Comm, error) {
	from, err := adjacentOf(indegree, sources, sourceWeights)
	to, wrong := adjacentOf(outdegree, destinations, destWeights)
	if err := cmp.Or(err, wrong); err != nil {
		return nil, err
	}
	return c.DistGraphCreateAdjacent(from, to, reorder)
}

func mpiDistGraphCreate(c *comm, n C.int, sources, degrees, destinations, weights *C.int, _ *info.Info, reorder bool) (*core.Comm, error) {
	edges, weighing, err := edgesOf(n, sources, degrees, destinations, weights)
	if err != nil {
		return nil, err
	}
	return c.DistGraphCreate(edges, weighing, reorder)
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

func mpiDistGraphNeighborsCount(c *comm) (indegree, outdegree int, weighted bool, err error) {
	from, to, err := c.DistGraphNeighbors()
	return len(from.Ranks), len(to.Ranks), from.Weights != nil || to.Weights != nil, err
}

func mpiDistGraphNeighbors(c *comm, indegree C.int, sources, sourceWeights *C.int, outdegree C.int, destinations, destWeights *C.int) error {
	from, to, err := c.DistGraphNeighbors()
	if err != nil {
		return err
	}
	intsTo(sources, indegree, from.Ranks)
	intsTo(destinations, outdegree, to.Ranks)
	weightsTo(sourceWeights, indegree, from.Weights)
	weightsTo(destWeights, outdegree, to.Weights)
	return nil
}

// weightsTo writes weights to an array, if the program has given one.
func weightsTo(array *C.int, room C.int, weights []int) {
	if at := uintptr(unsafe.Pointer(array)); at != unweighted && at != weightsEmpty {
		intsTo(array, room, weights)
	}
}
