package search

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sequences(r *rand.Rand, n, longest int) (all [][]byte) {
	for range n {
		all = append(all, make([]byte, 1+r.IntN(longest)))
	}
	return all
}

func TestEachPairIsInOneTask(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		queries, targets := sequences(r, 1+r.IntN(5), 100), sequences(r, 1+r.IntN(50), 100)
		seen := map[[2]int32]int{}
		for _, task := range cut(queries, targets, 1+r.Int64N(20000)) {
			require.Less(t, task.First, task.Last)
			for target := task.First; target < task.Last; target++ {
				seen[[2]int32{task.Query, target}]++
			}
		}
		require.Len(t, seen, len(queries)*len(targets))
		for pair, times := range seen {
			require.Equal(t, 1, times, "%v", pair)
		}
	}
}

func TestTasksAreBalancedAndTheLargestComeFirst(t *testing.T) {
	const block, longest = 50_000, 100
	r := rand.New(rand.NewPCG(3, 4))
	queries, targets := sequences(r, 20, longest), sequences(r, 400, longest)
	previous := int64(1 << 62)
	for _, task := range cut(queries, targets, block) {
		cells := int64(0)
		for _, target := range targets[task.First:task.Last] {
			cells += int64(len(target) * len(queries[task.Query]))
		}
		assert.LessOrEqual(t, cells, previous)
		assert.LessOrEqual(t, cells, int64(block+longest*longest))
		previous = cells
	}
}
