package pmi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// deathsOf has a client watch, and returns the ranks of whose deaths it is told, in that order.
func deathsOf(t *testing.T, c *Client) <-chan int {
	deaths := make(chan int, 100)
	require.NoError(t, c.Watch(t.Context(), nil, func(what string) {
		if rank, found := Death(what); found {
			deaths <- rank
		}
	}))
	return deaths
}

// However many die at a time, and whenever a rank begins to watch, it hears of all deaths.
func TestAllRanksAreToldOfAllDeaths(t *testing.T) {
	const size = 50
	s := newTestServer(t, Config{Size: size, KeepGoing: true})
	first, second := join(t, s, 0), join(t, s, 1)
	heard := deathsOf(t, first)
	for rank := 2; rank < size; rank++ {
		s.Died(rank)
	}
	for rank := 2; rank < size; rank++ {
		require.Equal(t, rank, <-heard)
	}
	late := deathsOf(t, second)
	for rank := 2; rank < size; rank++ {
		require.Equal(t, rank, <-late)
	}
}

func TestOtherNoticesAreNoDeaths(t *testing.T) {
	for _, what := range []string{"", "1 pulse", "died", "died ", "died x", "died -1", "died 1 2"} {
		_, found := Death(what)
		require.False(t, found, what)
	}
}

// fences has ranks enter a fence. The result comes when the fence is over for all of them.
func fences(t *testing.T, clients ...*Client) <-chan error {
	results := make(chan error, len(clients))
	for _, c := range clients {
		go func() { results <- c.Fence(t.Context()) }()
	}
	return results
}

func TestOnceAllHaveMetFencesGoOnWithoutTheDead(t *testing.T) {
	s := newTestServer(t, Config{Size: 3, KeepGoing: true})
	clients := []*Client{join(t, s, 0), join(t, s, 1), join(t, s, 2)}
	all := fences(t, clients...)
	for range clients {
		require.NoError(t, <-all)
	}
	second := fences(t, clients[:2]...)
	require.NoError(t, clients[2].Close()) // perhaps before the others have come, perhaps after
	for range 2 {
		require.NoError(t, <-second)
	}
	<-s.Ended(2)
	require.NoError(t, clients[1].Close())
	<-s.Ended(1)
	require.NoError(t, clients[0].Fence(t.Context()))
}

func TestARankThatHasNotComeToTheFirstFenceIsMissed(t *testing.T) {
	s := newTestServer(t, Config{Size: 3, KeepGoing: true})
	first, second := join(t, s, 0), join(t, s, 1)
	begun := fences(t, first)
	require.NoError(t, second.Close())
	require.ErrorContains(t, <-begun, "rank 1 has left the job")
	require.ErrorContains(t, join(t, s, 2).Fence(t.Context()), "rank 1 has left the job")
}

// What a rank has put before its first fence is there for the others.
func TestARankThatDiesInTheFirstFenceHasDoneItsPart(t *testing.T) {
	s := newTestServer(t, Config{Size: 2, KeepGoing: true})
	first, second := join(t, s, 0), join(t, s, 1)
	require.NoError(t, first.Put(t.Context(), "key", "value"))
	_ = fences(t, first)
	for entered := false; !entered; {
		s.mu.Lock()
		entered = s.barrier.inside[0]
		s.mu.Unlock()
	}
	require.NoError(t, first.Close())
	<-s.Ended(0)
	require.NoError(t, second.Fence(t.Context()))
	value, err := second.Get(t.Context(), "key")
	require.NoError(t, err)
	require.Equal(t, "value", value)
}

func TestARankThatNeverComesAndHasDiedIsMissed(t *testing.T) {
	s := newTestServer(t, Config{Size: 2, KeepGoing: true})
	first := join(t, s, 0)
	begun := fences(t, first)
	s.Died(1)
	require.ErrorContains(t, <-begun, "rank 1 has left the job")
	<-s.Ended(1)
}
