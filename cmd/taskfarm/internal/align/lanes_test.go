package align

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScoresAgreeWithAlignUpToTheLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	seen := map[bool]int{}
	for range 200 {
		query := sequence(r, r.IntN(80))
		aligner := New(Gaps{Open: r.Int32N(130), Extend: 1 + r.Int32N(5)})
		aligner.SetQuery(query)
		targets := family(r, query, r.IntN(40))
		scores := make([]int32, len(targets))
		aligner.Scores(targets, scores)
		for i, target := range targets {
			score := aligner.Align(target).Score
			require.Equal(t, min(score, Limit), scores[i], "target %d of %d", i, len(targets))
			seen[score >= Limit]++
		}
	}
	assert.Greater(t, min(seen[false], seen[true]), 200, "too few on one side of the limit")
}

// One lane that overflows in every column must not disturb its neighbours.
func TestOverflowStaysInItsLane(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	query := sequence(r, 300)
	aligner := New(Gaps{11, 1})
	aligner.SetQuery(query)
	for overflown := range laneCount {
		targets := make([][]byte, laneCount)
		for l := range targets {
			targets[l] = sequence(r, 300)
		}
		targets[overflown] = query
		scores := make([]int32, laneCount)
		aligner.Scores(targets, scores)
		for l, target := range targets {
			assert.Equal(t, min(aligner.Align(target).Score, Limit), scores[l])
		}
		assert.EqualValues(t, Limit, scores[overflown])
	}
}

func TestAligningAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	queries := [][]byte{sequence(r, 200), sequence(r, 100)}
	targets := family(r, queries[0], 20)
	scores := make([]int32, len(targets))
	aligner := New(Gaps{11, 1})
	aligner.SetQuery(queries[0])
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		for _, query := range queries {
			aligner.SetQuery(query)
			aligner.Scores(targets, scores)
			aligner.Align(targets[0])
		}
	}))
}
