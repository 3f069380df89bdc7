package schedule_test

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule/tuning"
)

// models say what the best algorithm known takes for p ranks: steps of latency a, and a vector, or a block, that takes b to
// send. They
// are from Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH", 2005, sections
// 4.2 to 4.5; Chan, Heimlich, Purkayastha and van de Geijn, "Collective communication: theory, practice, and
// experience", 2007, sections 4 to 7; and, for numbers of ranks that are no powers of two, from Träff, "Optimal,
// Non-pipelined Reduce-scatter and Allreduce Algorithms", 2024. Combining is free.
var models = map[string]func(p int, a, b float64) float64{
	"barrier": func(p int, a, _ float64) float64 { return steps(p) * a },
	"bcast": func(p int, a, b float64) float64 {
		return min(steps(p)*(a+b), (steps(p)+float64(p-1))*a+2*most(p)*b, 2*steps(p)*a+2*most(p)*b, pipeline(p, a, b))
	},
	"reduce": func(p int, a, b float64) float64 {
		return min(steps(p)*(a+b), 2*steps(p)*a+2*most(p)*b, pipeline(p, a, b))
	},
	"allreduce": func(p int, a, b float64) float64 {
		doubling := steps(p) * (a + b)
		if p&(p-1) != 0 {
			doubling += a + b
		}
		return min(doubling, steps(p)*a+float64(p-1)*b, 2*steps(p)*a+2*most(p)*b)
	},
	"reducescatter": func(p int, a, b float64) float64 { return steps(p)*a + most(p)*b },
	"scan":          func(p int, a, b float64) float64 { return min(steps(p)*(a+b), pipeline(p, a, b)) },
	"gather":        func(p int, a, b float64) float64 { return steps(p)*a + float64(p-1)*b },
	"scatter":       func(p int, a, b float64) float64 { return steps(p)*a + float64(p-1)*b },
	"allgather":     func(p int, a, b float64) float64 { return steps(p)*a + float64(p-1)*b },
	"alltoall": func(p int, a, b float64) float64 {
		return min(steps(p)*(a+float64(p/2)*b), float64(p-1)*(a+b))
	},
}

// steps is ⌈log₂ p⌉.
func steps(p int) float64 { return float64(bits.Len(uint(p - 1))) }

// most is (p-1)/p.
func most(p int) float64 { return float64(p-1) / float64(p) }

// pipeline is a chain of p ranks with the best number of segments.
func pipeline(p int, a, b float64) float64 {
	if p < 3 {
		return float64(p-1) * (a + b)
	}
	k := max(1, math.Round(math.Sqrt(float64(p-2)*b/a)))
	return (float64(p-2) + k) * (a + b/k)
}

// TestTableIsNearTheModels compares what the table chooses with the best model, and prints their ratios.
func TestTableIsNearTheModels(t *testing.T) {
	lengths := []int{8, 1 << 10, 64 << 10, 1 << 20}
	for _, o := range tuning.Operations {
		model := models[o.String()]
		t.Run(o.String(), func(t *testing.T) {
			t.Parallel()
			var lines strings.Builder
			for _, p := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 63, 64, 100, 128, 255, 256, 512, 1000, 1024} {
				if p > 17 && testing.Short() || p > 64 && !long {
					break // 1024 ranks send a million blocks
				}
				fmt.Fprintf(&lines, "%5d ranks", p)
				for _, length := range lengths {
					c := tuning.Case{Ranks: p, Bytes: length, Commutes: true}
					if o.Operation == schedule.OpAllgather {
						c.Bytes *= p // which the table counts together
					}
					duration, err := o.Time(tuning.Idle, c, schedule.Choice{})
					require.NoError(t, err)
					took := duration.Seconds()
					if p == 1 {
						assert.Zero(t, took)
						continue
					}
					best := model(p, tuning.Idle.Latency.Seconds(), float64(length)/tuning.Idle.Bandwidth)
					fmt.Fprintf(&lines, " %8.0f µs %4.2f", took*1e6, took/best)
					assert.LessOrEqual(t, took, 1.2*best, "%d ranks, %d bytes", p, length)
				}
				lines.WriteByte('\n')
			}
			t.Logf("time and ratio to the model for %v bytes\n%s", lengths, lines.String())
		})
	}
}
