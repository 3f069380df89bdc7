package file

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// dealt are the requests of ranks that share blocks of a file, so many each.
func dealt(ranks int, block, blocks int64) []request {
	all := make([]request, ranks)
	b := datatype.Basic(datatype.Byte)
	for i := range all {
		v, err := newView("test", int64(i)*block, b, made(datatype.Resized(made(datatype.Contiguous(block, b)), 0, int64(ranks)*block)), Native, true)
		if err != nil {
			panic(err)
		}
		all[i] = request{view: v, to: blocks * block, first: v.offset(0), last: v.offset(blocks*block-1) + 1}
	}
	return all
}

func TestTwoPhasesWhereTheyAreFaster(t *testing.T) {
	h := defaultHints
	_, ok := newPlan(dealt(4, 512, 1000), &h)
	assert.True(t, ok, "small pieces of several ranks")
	_, ok = newPlan(dealt(4, large, 1000), &h)
	assert.False(t, ok, "large pieces")
	_, ok = newPlan(dealt(4, 512, 1), &h)
	assert.False(t, ok, "one piece of each rank, after that of the rank before")
	_, ok = newPlan(dealt(1, 512, 1000), &h)
	assert.False(t, ok, "one rank")
	few := dealt(200, 512, 1000)
	for i := range few[1:] {
		few[i+1].to = few[i+1].from
	}
	few[1].to = 512
	_, ok = newPlan(few, &h)
	assert.False(t, ok, "few bytes in a large part of the file")
	h.always = true
	_, ok = newPlan(dealt(4, large, 1000), &h)
	assert.True(t, ok, "as the hint says")
	h.never = true
	_, ok = newPlan(dealt(4, 512, 1000), &h)
	assert.False(t, ok, "as the hint says")
}

// Each byte of the file is in one window, and each rank's memory for a round is bounded whatever the ranks want.
func TestPlanCoversTheFile(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 7, 20} {
		h := defaultHints
		h.always, h.buffer = true, leastBuffer
		requests := dealt(ranks, 1000, 333)
		p, ok := newPlan(requests, &h)
		require.True(t, ok)
		owners := make(map[int]bool)
		next := p.low
		for i := range p.aggregators {
			owners[p.aggregator(i)] = true
			require.Equal(t, i, p.domainOf(p.aggregator(i)))
			for round := range p.rounds {
				from, to := p.windowOf(i, round)
				if from >= to {
					continue
				}
				require.Equal(t, next, from)
				next = to
				wanted := int64(0)
				for r := range requests {
					first, last := requests[r].within(from, to)
					wanted += last - first
				}
				require.Equal(t, to-from, wanted)
				require.LessOrEqual(t, wanted, int64(leastWindow))
			}
		}
		require.Equal(t, p.high, next)
		require.Len(t, owners, p.aggregators)
	}
}
