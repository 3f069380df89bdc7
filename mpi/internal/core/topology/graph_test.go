package topology_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// The example of MPI 4.1, section 8.5.3: 0 with 1 and 3, 1 with 0, 2 with 3, 3 with 0 and 2.
func TestGraph(t *testing.T) {
	index, edges := []int{2, 3, 4, 6}, []int{1, 3, 0, 3, 0, 2}
	g, err := topology.NewGraph("test", index, edges)
	require.Nil(t, err)
	require.Equal(t, 4, g.Size())
	require.True(t, g.Symmetric())
	for rank, want := range [][]int{{1, 3}, {0}, {3}, {0, 2}} {
		of, err := g.Of("test", rank)
		require.Nil(t, err)
		require.Equal(t, want, of)
		sources, destinations := g.Neighbors(rank)
		require.Len(t, sources, len(want))
		require.Equal(t, sources, destinations)
	}
	gotIndex, gotEdges := g.Get()
	require.Equal(t, index, gotIndex)
	require.Equal(t, edges, gotEdges)
	_, err = g.Of("test", 4)
	require.ErrorIs(t, err, rpi.ErrRank)
}

// A process may be its own neighbour, and another's twice; only then it counts whether edges lead back.
func TestGraphSymmetry(t *testing.T) {
	for _, test := range []struct {
		index, edges []int
		want         bool
	}{
		{[]int{1, 1}, []int{0}, true},
		{[]int{1, 1}, []int{1}, false},
		{[]int{1, 2}, []int{1, 0}, true},
		{[]int{2, 3}, []int{1, 1, 0}, false},
		{[]int{2, 4}, []int{1, 1, 0, 0}, true},
		{[]int{1, 2, 3}, []int{1, 2, 0}, false},
		{nil, nil, true},
	} {
		g, err := topology.NewGraph("test", test.index, test.edges)
		require.Nil(t, err)
		require.Equal(t, test.want, g.Symmetric(), "%v %v", test.index, test.edges)
	}
}

func TestGraphErrors(t *testing.T) {
	for text, arguments := range map[string][2][]int{
		"index 1 is 1, which is less than the one before, 2": {{2, 1}, {0}},
		"index 0 is -1": {{-1}, nil},
		"the last index is 2, but the number of edges is 1": {{1, 2}, {0}},
		"edge 1 leads to rank 2; the graph has 2 rank":      {{1, 2}, {0, 2}},
	} {
		_, err := topology.NewGraph("test", arguments[0], arguments[1])
		require.ErrorContains(t, err, text)
	}
}

func TestDistGraph(t *testing.T) {
	sources := topology.Adjacent{Ranks: []int{2, 0, 2}, Weights: []int{5, 0, 7}}
	g, err := topology.NewDistGraph("test", 3, sources, topology.Adjacent{})
	require.Nil(t, err)
	from, to := g.Adjacent()
	require.Equal(t, sources, from)
	require.Equal(t, topology.Adjacent{Weights: []int{}}, to, "no destinations need no weights")
	in, out := g.Neighbors(1)
	require.Equal(t, []int32{2, 0, 2}, in)
	require.Empty(t, out)

	sources.Ranks[0] = 1
	from, _ = g.Adjacent()
	require.Equal(t, 2, from.Ranks[0], "the graph keeps copies")

	g, err = topology.NewDistGraph("test", 3, topology.Adjacent{Ranks: []int{1}}, topology.Adjacent{})
	require.Nil(t, err)
	from, to = g.Adjacent()
	require.Equal(t, []topology.Adjacent{{Ranks: []int{1}}, {}}, []topology.Adjacent{from, to})
}

func TestDistGraphErrors(t *testing.T) {
	none, one := topology.Adjacent{}, topology.Adjacent{Ranks: []int{1}}
	for text, pair := range map[string][2]topology.Adjacent{
		"source 0 is rank 3, which is not in a communicator of 3 ranks": {{Ranks: []int{3}}, none},
		"destination 1 is rank -2":                                      {none, {Ranks: []int{0, -2}}},
		"there are 2 weights for 1 source":                              {{Ranks: []int{1}, Weights: []int{1, 2}}, none},
		"the weight of destination 0 is -1":                             {none, {Ranks: []int{1}, Weights: []int{-1}}},
		"all edges have weights, or none":                               {one, {Ranks: []int{1}, Weights: []int{1}}},
	} {
		_, err := topology.NewDistGraph("test", 3, pair[0], pair[1])
		require.ErrorContains(t, err, text)
	}
}

// Edges that any rank gives are told apart by their ends; several between two ranks stay in order.
func TestEdges(t *testing.T) {
	edges := []topology.Edge{{0, 1, 5}, {1, 1, 6}, {1, 2, 7}, {0, 1, 8}}
	require.Nil(t, topology.CheckEdges("test", 3, edges))
	sources, destinations := topology.EdgesOf(1, edges, true)
	require.Equal(t, topology.Adjacent{Ranks: []int{0, 1, 0}, Weights: []int{5, 6, 8}}, sources)
	require.Equal(t, topology.Adjacent{Ranks: []int{1, 2}, Weights: []int{6, 7}}, destinations)
	sources, destinations = topology.EdgesOf(2, edges[:1], true)
	require.Equal(t, []topology.Adjacent{{Weights: []int{}}, {Weights: []int{}}}, []topology.Adjacent{sources, destinations})
	sources, _ = topology.EdgesOf(1, edges, false)
	require.Equal(t, topology.Adjacent{Ranks: []int{0, 1, 0}}, sources)

	var ends []int
	for _, e := range edges[:2] {
		e.Ends(func(rank int) { ends = append(ends, rank) })
	}
	require.Equal(t, []int{0, 1, 1}, ends, "an edge from a rank to itself has one end")
	for text, e := range map[string]topology.Edge{
		"the source of edge 0 is rank 3":       {Source: 3},
		"the destination of edge 0 is rank -1": {Destination: -1},
		"the weight of edge 0 is -2":           {Weight: -2},
	} {
		require.ErrorContains(t, topology.CheckEdges("test", 3, []topology.Edge{e}), text)
	}
}
