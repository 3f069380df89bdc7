package schedule_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule/simulate"
)

// link is a block on its way: the one with number out at rank from is the one with number in at rank to.
type link struct{ from, out, to, in, length int }

// neighborhood is the neighbours of all ranks, and the blocks that they exchange.
type neighborhood struct {
	ranks []schedule.Neighbors
	links []link
}

// randomGraph has edges between any two ranks, and from some to themselves, and several of some. Those between two ranks are
// in the same order at both.
func randomGraph(random *rand.Rand, n int) (h neighborhood) {
	h.ranks = make([]schedule.Neighbors, n)
	for range random.IntN(4 * n) {
		from, to := random.IntN(n), random.IntN(n)
		for range 1 + random.IntN(3)/2 {
			h.add(random, from, to)
		}
	}
	return h
}

func (h *neighborhood) add(random *rand.Rand, from, to int) {
	a, b := &h.ranks[from], &h.ranks[to]
	h.links = append(h.links, link{from, len(a.Destinations), to, len(b.Sources), random.IntN(50)})
	a.Destinations, b.Sources = append(a.Destinations, int32(to)), append(b.Sources, int32(from))
	if random.IntN(4) == 0 { // a neighbour that is none
		a.Destinations, b.Sources = append(a.Destinations, -2), append(b.Sources, -2)
	}
}

// randomGrid is a grid of one row, of which the ends are neighbours or not.
func randomGrid(random *rand.Rand, n int) (h neighborhood) {
	ring := random.IntN(2) == 0
	for i := range n {
		peers := []int32{int32(i - 1), int32(i + 1)}
		if ring {
			peers[0], peers[1] = int32((i+n-1)%n), int32((i+1)%n)
		}
		if i+1 == n && !ring {
			peers[1] = -2
		}
		h.ranks = append(h.ranks, schedule.Neighbors{Sources: peers, Destinations: peers, Grid: true})
		if peers[1] >= 0 {
			length := random.IntN(50)
			h.links = append(h.links, link{i, 1, int(peers[1]), 0, length}, link{int(peers[1]), 0, i, 1, length + 1})
		}
	}
	return h
}

func TestNeighborsGetWhatIsForThem(t *testing.T) {
	random := newRandom(t)
	for range 400 {
		n := 1 + random.IntN(6)
		for _, h := range []neighborhood{randomGraph(random, n), randomGrid(random, n)} {
			h.check(t, random)
		}
	}
}

// Beyond what a window holds, sends wait for each other.
func TestManyNeighbors(t *testing.T) {
	random := newRandom(t)
	h := neighborhood{ranks: make([]schedule.Neighbors, 3)}
	for range 500 {
		h.add(random, random.IntN(3), random.IntN(3))
	}
	h.check(t, random)
}

// check runs the exchange and compares each block. Block i begins at 100·i.
func (h *neighborhood) check(t *testing.T, random *rand.Rand) {
	t.Helper()
	lengths := [2][]map[int]int{make([]map[int]int, len(h.ranks)), make([]map[int]int, len(h.ranks))}
	memory, before := make([]simulate.Memory, len(h.ranks)), make([][]byte, len(h.ranks))
	for i, r := range h.ranks {
		lengths[0][i], lengths[1][i] = map[int]int{}, map[int]int{}
		memory[i] = simulate.Memory{In: make([]byte, 100*len(r.Destinations)), Out: make([]byte, 100*len(r.Sources))}
		for _, b := range [][]byte{memory[i].In, memory[i].Out} {
			for j := range b {
				b[j] = byte(random.Uint32())
			}
		}
		before[i] = append([]byte{}, memory[i].Out...)
	}
	for _, l := range h.links {
		lengths[0][l.from][l.out], lengths[1][l.to][l.in] = l.length, l.length
	}
	schedules := simulate.Schedules(len(h.ranks), func(b *schedule.Builder, rank int) {
		schedule.Neighbor(b, rank, h.ranks[rank],
			func(i int) schedule.Part { return schedule.Part{Offset: 100 * i, Length: lengths[0][rank][i]} },
			func(i int) schedule.Part {
				return schedule.Part{Buffer: schedule.Out, Offset: 100 * i, Length: lengths[1][rank][i]}
			}, schedule.Start)
	})
	for _, s := range schedules {
		require.NoError(t, simulate.Check(s))
	}
	require.NoError(t, simulate.Run(random, schedules, memory, nil), "%+v", h)
	for _, l := range h.links {
		copy(before[l.to][100*l.in:], memory[l.from].In[100*l.out:][:l.length])
	}
	for i := range h.ranks {
		require.Equal(t, before[i], memory[i].Out, "rank %d of %+v", i, h)
	}
}

func TestBlocksForOneself(t *testing.T) {
	for _, test := range []struct {
		n    schedule.Neighbors
		want bool
	}{
		{schedule.Neighbors{Sources: []int32{0, 1, 0}, Destinations: []int32{0, 0}}, true},
		{schedule.Neighbors{Sources: []int32{0, 1}, Destinations: []int32{0, 0}}, false},
		{schedule.Neighbors{Sources: []int32{0, 1, 0}, Destinations: []int32{1, 0}}, false},
		{schedule.Neighbors{}, true},
	} {
		require.Equal(t, test.want, test.n.Own(0, func(int, int) {}), "%+v", test.n)
	}
}
