package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, sections 8.5.1 and 8.5.5 to 8.5.7.
func TestCart(t *testing.T) {
	ranks(t, 7, func(t *testing.T, world *mpi.Comm) {
		dims, err := mpi.Dims(6, 0, 0)
		require.NoError(t, err)
		require.Equal(t, []int{3, 2}, dims)
		me := world.Rank()
		place, err := world.CartMap(dims, nil)
		require.NoError(t, err)
		cart, err := world.CartCreate(dims, []bool{false, true}, true)
		require.NoError(t, err)
		if me == 6 {
			require.Nil(t, cart)
			require.Equal(t, mpi.Undefined, place)
			require.Equal(t, mpi.NoTopology, cart.Topology())
			return
		}
		require.Equal(t, cart.Rank(), place)
		require.Equal(t, 6, cart.Size())
		dup, err := cart.Dup()
		require.NoError(t, err)
		for _, c := range []*mpi.Comm{cart, dup} {
			require.Equal(t, mpi.CartTopology, c.Topology())
			gotDims, periods, coords, err := c.CartGet()
			require.NoError(t, err)
			require.Equal(t, dims, gotDims)
			require.Equal(t, []bool{false, true}, periods)
			require.Equal(t, []int{me / 2, me % 2}, coords)
		}
		coords, err := cart.CartCoords(5)
		require.NoError(t, err)
		require.Equal(t, []int{2, 1}, coords)
		rank, err := cart.CartRank(1, -1)
		require.NoError(t, err)
		require.Equal(t, 3, rank)
		_, err = cart.CartRank(3, 0)
		require.ErrorIs(t, err, mpi.ErrArg)
		source, dest, err := cart.CartShift(0, 1)
		require.NoError(t, err)
		require.Equal(t, []int{map[bool]int{true: me - 2, false: mpi.ProcNull}[me >= 2], map[bool]int{true: me + 2, false: mpi.ProcNull}[me < 4]}, []int{source, dest})

		row, err := cart.CartSub(false, true)
		require.NoError(t, err)
		require.Equal(t, mpi.CartTopology, row.Topology())
		total, err := mpi.AllreduceValue(row, me, mpi.Sum)
		require.NoError(t, err)
		require.Equal(t, me/2*4+1, total)
		_, periods, _, err := row.CartGet()
		require.NoError(t, err)
		require.Equal(t, []bool{true}, periods)
		point, err := cart.CartSub(false, false)
		require.NoError(t, err)
		require.Equal(t, 1, point.Size())
		require.NoError(t, mpi.NeighborAlltoall(point, []int{}, []int{}))
		_, err = cart.CartSub(true)
		require.ErrorContains(t, err, "mpi.CartSub: ")
		require.NoError(t, dup.Free())
	})
}

// Sections 8.5.3 and 8.5.5.
func TestGraph(t *testing.T) {
	ranks(t, 5, func(t *testing.T, world *mpi.Comm) {
		index, edges := []int{2, 3, 4, 6}, []int{1, 3, 0, 3, 0, 2}
		graph, err := world.GraphCreate(index, edges, false)
		require.NoError(t, err)
		place, err := world.GraphMap(index, edges)
		require.NoError(t, err)
		if world.Rank() == 4 {
			require.Nil(t, graph)
			require.Equal(t, mpi.Undefined, place)
			return
		}
		require.Equal(t, mpi.GraphTopology, graph.Topology())
		gotIndex, gotEdges, err := graph.GraphGet()
		require.NoError(t, err)
		require.Equal(t, index, gotIndex)
		require.Equal(t, edges, gotEdges)
		neighbors, err := graph.GraphNeighbors(3)
		require.NoError(t, err)
		require.Equal(t, []int{0, 2}, neighbors)
		_, _, err = graph.CartShift(0, 1)
		require.ErrorIs(t, err, mpi.ErrTopology)
		require.ErrorContains(t, err, "the communicator has no Cartesian topology; CartCreate makes one that has")
	})
}

// Section 8.5.4: any rank may give any edge. The order is that of the ranks that gave them.
func TestDistGraph(t *testing.T) {
	ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
		size, me := world.Size(), world.Rank()
		previous, next := (me+size-1)%size, (me+1)%size
		ring, err := world.DistGraphCreate([]mpi.Edge{{Source: next, Destination: me, Weight: me}, {Source: 0, Destination: 0}}, false)
		require.NoError(t, err)
		require.Equal(t, mpi.DistGraphTopology, ring.Topology())
		sources, destinations, err := ring.DistGraphNeighbors()
		require.NoError(t, err)
		if me != 0 {
			require.Equal(t, mpi.Adjacent{Ranks: []int{next}, Weights: []int{me}}, sources)
			require.Equal(t, mpi.Adjacent{Ranks: []int{previous}, Weights: []int{previous}}, destinations)
		} else {
			require.Equal(t, mpi.Adjacent{Ranks: []int{1, 0, 0, 0, 0}, Weights: []int{0, 0, 0, 0, 0}}, sources)
			require.Equal(t, mpi.Adjacent{Ranks: []int{0, 0, 0, 3, 0}, Weights: []int{0, 0, 0, 3, 0}}, destinations)
		}
		plain, err := world.DistGraphCreate(nil, true)
		require.NoError(t, err)
		sources, destinations, err = plain.DistGraphNeighbors()
		require.NoError(t, err)
		require.Equal(t, []mpi.Adjacent{{}, {}}, []mpi.Adjacent{sources, destinations})

		weighted, err := world.DistGraphCreateAdjacent(mpi.Adjacent{Ranks: []int{previous}, Weights: []int{3}}, mpi.Adjacent{Ranks: []int{next}, Weights: []int{3}}, false)
		require.NoError(t, err)
		sources, _, err = weighted.DistGraphNeighbors()
		require.NoError(t, err)
		require.Equal(t, mpi.Adjacent{Ranks: []int{previous}, Weights: []int{3}}, sources)
	})
}

// What is wrong at one rank fails the call at all of them, and the next calls are in order.
func TestTopologiesThatCannotBe(t *testing.T) {
	for name, test := range map[string]struct {
		create func(c *mpi.Comm, odd bool) (*mpi.Comm, error) // odd: as the one rank that is wrong
		class  mpi.Class
		text   string
	}{
		"a grid with no ranks": {func(c *mpi.Comm, odd bool) (*mpi.Comm, error) {
			return c.CartCreate([]int{map[bool]int{true: 0, false: 3}[odd]}, nil, false)
		}, mpi.ErrDims, "mpi.CartCreate: invalid dimension: dimension 0 is 0"},
		"a graph of others": {func(c *mpi.Comm, odd bool) (*mpi.Comm, error) {
			return c.GraphCreate([]int{1}, []int{map[bool]int{true: 1, false: 0}[odd]}, false)
		}, mpi.ErrArg, "edge 0 leads to rank 1"},
		"an edge to none": {func(c *mpi.Comm, odd bool) (*mpi.Comm, error) {
			return c.DistGraphCreate([]mpi.Edge{{Source: map[bool]int{true: 3, false: 0}[odd]}}, false)
		}, mpi.ErrRank, "the source of edge 0 is rank 3, which is not in a communicator of 3 ranks"},
		"a source that is none": {func(c *mpi.Comm, odd bool) (*mpi.Comm, error) {
			return c.DistGraphCreateAdjacent(mpi.Adjacent{Ranks: []int{map[bool]int{true: -1, false: 0}[odd]}}, mpi.Adjacent{}, false)
		}, mpi.ErrRank, "source 0 is rank -1"},
	} {
		t.Run(name, func(t *testing.T) {
			ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
				odd := world.Rank() == 1
				c, err := test.create(world, odd)
				if odd {
					require.ErrorIs(t, err, test.class)
					require.ErrorContains(t, err, test.text)
				}
				if err != nil {
					require.ErrorIs(t, err, test.class)
					require.Nil(t, c)
				}
				require.NoError(t, world.Barrier())
			})
		})
	}
}

func TestTopologiesThatDiffer(t *testing.T) {
	disagreeing(t, 2, func(t *testing.T, world *mpi.Comm) {
		dims := [][]int{{2, 1}, {1, 2}}[world.Rank()]
		_, err := world.CartCreate(dims, nil, false)
		if err != nil || world.Rank() == 1 {
			require.ErrorIs(t, err, mpi.ErrArg)
			require.ErrorContains(t, err, "passes other arguments than this rank")
		}
		require.NoError(t, world.Barrier())
	})
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		_, err := world.CartCreate([]int{3}, nil, false)
		require.ErrorIs(t, err, mpi.ErrTopology)
		require.ErrorContains(t, err, "the topology has 3 ranks, and the communicator 2")
	})
}
