package schedule_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule/tuning"
)

// TestTableIsNearTheBest compares what the table chooses with the best choice on a part of the grid for which it was made, and prints
// the ratios.
func TestTableIsNearTheBest(t *testing.T) {
	for _, o := range tuning.Operations {
		t.Run(o.String(), func(t *testing.T) {
			t.Parallel()
			var lines strings.Builder
			for i, c := range o.Cases() {
				if c.Ranks > 12 || c.Bytes > 1<<20 || i%3 != 0 {
					continue
				}
				cost := func(choice schedule.Choice) float64 {
					cost, err := o.Cost(c, choice)
					require.NoError(t, err)
					return cost
				}
				took := cost(schedule.Choice{})
				best, which := took, schedule.Choice{}
				for _, choice := range o.Candidates(c) {
					if cost := cost(choice); cost < best {
						best, which = cost, choice
					}
				}
				fmt.Fprintf(&lines, "%+v: %.2f\n", c, took/best)
				assert.LessOrEqual(t, took/best, tuning.Factor*(1+1e-9), "%+v: %v is better; go generate makes a new table", c, which)
			}
			t.Logf("ratio to the best choice\n%s", &lines)
		})
	}
}

// TestTableIsWhatTuneWrites finds the rows again, in the ordinary tests those that take no time. All take minutes.
func TestTableIsWhatTuneWrites(t *testing.T) {
	table, err := os.ReadFile("table.go")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(table), tuning.Header), "the comment at the table")
	for _, o := range tuning.Operations {
		if !long && o.Operation != schedule.OpBarrier && o.Operation != schedule.OpGather && o.Operation != schedule.OpScatter {
			continue
		}
		t.Run(o.String(), func(t *testing.T) {
			t.Parallel()
			rows, err := o.Rows()
			require.NoError(t, err)
			assert.Contains(t, string(table), o.Source(rows), "go generate makes a new table")
		})
	}
}
