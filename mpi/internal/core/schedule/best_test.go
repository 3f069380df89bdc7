package schedule_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// segmented are an algorithm with segments of several lengths. Shorter ones would have many messages, which cost more than
// 1 µs where ranks share processors.
func segmented(name schedule.Algorithm) (c []schedule.Choice) {
	for segment := 8 << 10; segment <= 128<<10; segment *= 2 {
		c = append(c, schedule.Choice{Algorithm: name, Segment: segment})
	}
	return c
}

// candidates are what the table can choose for operations that commute. A chain is none for reduce: in all others the root has
// no say in how vectors are combined.
var candidates = map[string][]schedule.Choice{
	"bcast": append(choices(schedule.Binomial, schedule.ScatterRing, schedule.ScatterAllgather),
		append(segmented(schedule.Chain), segmented(schedule.BinaryTree)...)...),
	"reduce":             choices(schedule.Binomial, schedule.Halving, schedule.Circulant),
	"allreduce":          choices(schedule.Doubling, schedule.Tree, schedule.Halving, schedule.Gathered, schedule.Circulant, schedule.Ring),
	"reducescatterblock": choices(schedule.Pairwise, schedule.ReduceThenScatter, schedule.Circulant, schedule.Ring),
	"scan":               append(choices(schedule.Doubling), segmented(schedule.Chain)...),
	"gather":             choices(schedule.Binomial, schedule.Linear),
	"scatter":            choices(schedule.Binomial, schedule.Linear),
	"allgather":          choices(schedule.Bruck, schedule.Ring),
	"alltoall":           choices(schedule.Bruck, schedule.Pairwise),
}

// TestTableIsNearTheBest compares what the table chooses with the best choice, by the sum of the times without and with
// 1 µs of each rank's own for a message, and prints their ratios, with the best choice where it is much better.
func TestTableIsNearTheBest(t *testing.T) {
	busy := network
	busy.Overhead = time.Microsecond
	both := func(name string, p, length int, c schedule.Choice) time.Duration {
		return simulated(t, network, name, p, length, c) + simulated(t, busy, name, p, length, c)
	}
	lengths := []int{8, 1 << 10, 8 << 10, 32 << 10, 128 << 10, 512 << 10, 2 << 20}
	for name, candidates := range candidates {
		t.Run(name, func(t *testing.T) {
			var lines strings.Builder
			for _, p := range []int{2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 100, 128} {
				if p > 16 && !long {
					break
				}
				fmt.Fprintf(&lines, "%5d ranks", p)
				for _, length := range lengths {
					took := both(name, p, length, schedule.Choice{})
					best, which := took, schedule.Choice{}
					for _, c := range candidates {
						if took := both(name, p, length, c); took < best {
							best, which = took, c
						}
					}
					ratio := took.Seconds() / best.Seconds()
					fmt.Fprintf(&lines, " %5.2f", ratio)
					if ratio > 1.2 {
						fmt.Fprintf(&lines, " (%s/%d)", which.Algorithm, which.Segment)
					}
					assert.LessOrEqual(t, ratio, 1.45, "%d ranks, %d bytes: %v is better", p, length, which)
				}
				lines.WriteByte('\n')
			}
			t.Logf("ratio to the best choice for %v bytes\n%s", lengths, lines.String())
		})
	}
}
