package mpitest

import (
	"math/rand/v2"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Arrangement is a topology as a test knows it: the neighbours of each rank of it, as sources and as destinations.
type Arrangement struct {
	Create func(c *mpi.Comm) (*mpi.Comm, error)
	From   [][]int
	To     [][]int
	Grid   bool
}

// Outgoing is which block of its sender is block k of rank.
func (a *Arrangement) Outgoing(rank, k int) (sender, block int) {
	sender = a.From[rank][k]
	if a.Grid {
		return sender, k ^ 1
	}
	nth := 0 // of the blocks of this sender
	for _, s := range a.From[rank][:k] {
		if s == sender {
			nth++
		}
	}
	for block, d := range a.To[sender] {
		if d == rank {
			if nth == 0 {
				return sender, block
			}
			nth--
		}
	}
	panic("the test's topology has an edge with one end")
}

// RandomArrangement is a topology of at most size ranks.
func RandomArrangement(random *rand.Rand, size int) Arrangement {
	switch random.IntN(4) {
	case 0:
		return randomGraph(random, size)
	case 1:
		return randomDistGraph(random, size)
	}
	return randomCart(random, size)
}

func randomCart(random *rand.Rand, size int) Arrangement {
	n := 1 + random.IntN(size)
	dims, err := mpi.Dims(n, make([]int, 1+random.IntN(3))...)
	if err != nil {
		panic(err)
	}
	random.Shuffle(len(dims), func(i, j int) { dims[i], dims[j] = dims[j], dims[i] })
	periods := make([]bool, len(dims))
	for i := range periods {
		periods[i] = random.IntN(3) > 0
	}
	a := Arrangement{Grid: true, Create: func(c *mpi.Comm) (*mpi.Comm, error) { return c.CartCreate(dims, periods, true) }}
	for rank := range n {
		var peers []int
		stride := n
		for i, d := range dims {
			stride /= d
			at := rank / stride % d
			for _, by := range []int{-1, 1} {
				next := at + by
				if periods[i] {
					next = (next + d) % d
				}
				if next < 0 || next >= d {
					peers = append(peers, mpi.ProcNull)
				} else {
					peers = append(peers, rank+(next-at)*stride)
				}
			}
		}
		a.From, a.To = append(a.From, peers), append(a.To, peers)
	}
	return a
}

// randomGraph is a symmetric graph: edges are given in both directions.
func randomGraph(random *rand.Rand, size int) Arrangement {
	n := 1 + random.IntN(size)
	peers := make([][]int, n)
	for range random.IntN(2 * n) {
		i, j := random.IntN(n), random.IntN(n)
		peers[i] = append(peers[i], j)
		if i != j {
			peers[j] = append(peers[j], i)
		}
	}
	var index, edges []int
	for _, p := range peers {
		edges = append(edges, p...)
		index = append(index, len(edges))
	}
	return Arrangement{From: peers, To: peers, Create: func(c *mpi.Comm) (*mpi.Comm, error) { return c.GraphCreate(index, edges, false) }}
}

// randomDistGraph has edges in any direction, which one rank or another gives.
func randomDistGraph(random *rand.Rand, size int) Arrangement {
	given := make([][]mpi.Edge, size)
	for i := range given {
		for range random.IntN(5) {
			given[i] = append(given[i], mpi.Edge{Source: random.IntN(size), Destination: random.IntN(size), Weight: random.IntN(3)})
		}
	}
	a := Arrangement{From: make([][]int, size), To: make([][]int, size)}
	for _, edges := range given {
		for _, e := range edges {
			a.To[e.Source] = append(a.To[e.Source], e.Destination)
			a.From[e.Destination] = append(a.From[e.Destination], e.Source)
		}
	}
	adjacent := random.IntN(2) == 0
	a.Create = func(c *mpi.Comm) (*mpi.Comm, error) {
		if me := c.Rank(); adjacent {
			return c.DistGraphCreateAdjacent(mpi.Adjacent{Ranks: a.From[me]}, mpi.Adjacent{Ranks: a.To[me]}, false)
		}
		return c.DistGraphCreate(given[c.Rank()], false)
	}
	return a
}
