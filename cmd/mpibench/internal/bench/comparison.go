package bench

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// comparison is a figure by which implementations of MPI are compared.
type comparison struct {
	key, unit string
	ranks     int
	work      rank.Work
	// value computes the figure from the time of one step in seconds.
	value func(w rank.Work, step float64) float64
	// rate marks a figure of which more is better.
	rate bool
	// goals are the aims, as text, for the ratio of our figure to that of the best peer: over the
	// network, and over shared memory.
	goals goals
}

type goals struct{ network, shared string }

// window is the number of messages in flight.
const window = 64

const (
	halfRTT   = "half_rtt_8b"
	posted10k = "half_rtt_8b_posted_10k"
)

var comparisons = []comparison{
	{halfRTT, "µs", 2, rank.Work{Program: "latency", Size: 8}, half, false, goals{"≤ 1.0", "≤ 2.0"}},
	{"half_rtt_1k", "µs", 2, rank.Work{Program: "latency", Size: 1 << 10}, half, false, goals{"≤ 1.0", "≤ 1.5"}},
	{posted10k, "µs", 2, rank.Work{Program: "latency", Size: 8, Posted: 10_000}, half, false, goals{"≤ 0.35", "≤ 0.05"}},
	{"bw_64k", "Gbit/s", 2, rank.Work{Program: "flood", Size: 64 << 10, Window: window}, gigabits, true, goals{"≥ 1.0", "≥ 1.0"}},
	{"bw_1m", "Gbit/s", 2, rank.Work{Program: "flood", Size: 1 << 20, Window: window}, gigabits, true, goals{"≥ 1.0", "≥ 1.0"}},
	{"bw_4m", "Gbit/s", 2, rank.Work{Program: "flood", Size: 4 << 20, Window: window}, gigabits, true, goals{"≥ 1.0", "≥ 1.0"}},
	{"bw_1m_alloc_mem", "Gbit/s", 2, rank.Work{Program: "flood", Size: 1 << 20, Window: window, Alloc: true}, gigabits, true, goals{"≥ 1.0", "≥ 1.0"}},
	{"bw_4m_alloc_mem", "Gbit/s", 2, rank.Work{Program: "flood", Size: 4 << 20, Window: window, Alloc: true}, gigabits, true, goals{"≥ 1.0", "≥ 1.0"}},
	{"rate_8b", "1000/s", 2, rank.Work{Program: "flood", Size: 8, Window: window}, thousands, true, goals{"≥ 5.0", "≥ 0.5"}},
	{"barrier_8ranks", "µs", 8, rank.Work{Program: "collective", Operation: barrier}, micros, false, goals{"≤ 0.7", "≤ 1.0"}},
}

// sizeNames are sizes in the keys of figures.
var sizeNames = map[int]string{8: "8b", 1 << 10: "1k", 64 << 10: "64k", 1 << 20: "1m"}

// collectiveComparisons are those of --collectives. Of alltoall the size is that of the block for each rank.
var collectiveComparisons = func() (all []comparison) {
	for _, operation := range []string{"bcast", allreduce, "alltoall"} {
		for _, size := range []int{8, 1 << 20} {
			for _, ranks := range []int{4, 8} {
				all = append(all, comparison{
					key: fmt.Sprintf("%s_%s_%dranks", operation, sizeNames[size], ranks), unit: "µs", ranks: ranks,
					work: rank.Work{Program: "collective", Operation: operation, Size: size}, value: micros, goals: goals{"≤ 1.0", "≤ 1.0"},
				})
			}
		}
	}
	return all
}()

// oneSidedComparisons are those of the command onesided.
var oneSidedComparisons = func() (all []comparison) {
	add := func(operation, name string, size int) {
		all = append(all, comparison{
			key: fmt.Sprintf("%s_%s", name, sizeNames[size]), unit: "µs", ranks: 2,
			work: rank.Work{Program: "onesided", Operation: operation, Size: size}, value: micros, goals: goals{"≤ 1.0", "≤ 1.0"},
		})
	}
	for _, operation := range []string{"put", "get", "accumulate"} {
		for _, size := range []int{8, 1 << 10, 64 << 10, 1 << 20} {
			add(operation, operation, size)
		}
	}
	add("fetchandop", "fetch_and_op", 8)
	add("compareandswap", "compare_and_swap", 8)
	add("lock", "lock_put_unlock", 8)
	add("fence", "put_fence", 8)
	add("groups", "start_put_complete", 8)
	return all
}()

func micros(_ rank.Work, step float64) float64   { return step * 1e6 }
func half(_ rank.Work, step float64) float64     { return step * 1e6 / 2 }
func gigabits(w rank.Work, step float64) float64 { return float64(w.Window*w.Size*8) / step / 1e9 }
func thousands(w rank.Work, step float64) float64 {
	return float64(w.Window) / step / 1e3
}

// byRanks returns the comparisons of each job: those with the same number of ranks.
func byRanks(cs []comparison) map[int][]comparison {
	jobs := make(map[int][]comparison)
	for _, c := range cs {
		jobs[c.ranks] = append(jobs[c.ranks], c)
	}
	return jobs
}

// figures computes the figures of a comparison from those that a job measured. Where a step holds more than the operation,
// operation_us is the time of the operation alone.
func (c comparison) figures(f rank.Figures) rank.Figures {
	step := f["wall_s"] / f["count"]
	if each, apart := f["operation_us"]; apart {
		step = each / 1e6
	}
	return rank.Figures{
		"value":  c.value(c.work, step),
		"wall_s": f["wall_s"], "cpu_s": f["cpu_s"],
	}
}

// peerWork is the same work as an argument of the C program of package othermpi.
func (c comparison) peerWork() string {
	switch w := c.work; w.Program {
	case "latency":
		return fmt.Sprintf("latency:%d:%d", w.Size, w.Posted)
	case "flood":
		if w.Alloc {
			return fmt.Sprintf("floodalloc:%d:%d", w.Size, w.Window)
		}
		return fmt.Sprintf("flood:%d:%d", w.Size, w.Window)
	default:
		return fmt.Sprintf("%s:%d:0", w.Operation, w.Size)
	}
}

// goal is the aim for our ratio over a medium.
func (c comparison) goal(over medium) string {
	if over == shared {
		return c.goals.shared
	}
	return c.goals.network
}

// best returns the better one of two values.
func (c comparison) best(a, b float64) float64 {
	if c.rate {
		return max(a, b)
	}
	return min(a, b)
}
