package experiments

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

// latencyMetrics are those of package ranks for latencies.
func latencyMetrics() []plan.Metric {
	return []plan.Metric{
		{Name: "p50", Title: "median latency", Unit: "ms"},
		{Name: "p95", Title: "95th percentile of latency", Unit: "ms"},
		{Name: "p99", Title: "99th percentile of latency", Unit: "ms"},
		{Name: "max", Title: "greatest latency", Unit: "ms"},
	}
}

func headOfLine(quick bool) plan.Experiment {
	const rtt = 20 * time.Millisecond
	e := plan.Experiment{
		Name:     "hol",
		Title:    "Head-of-line blocking",
		Question: "How late do small messages of one TRC come when another TRC carries bulk to the same rank and packets are lost?",
		Setup: "Rank 1 sends rank 0 messages of 256 bytes at intervals, with one tag, and bulk with another: messages of 30 KiB, " +
			"which are short to the library, or of 300 KiB, which are long, as fast as it can, 16 under way; or 30 KiB every " +
			"80 ms, 3 Mbit/s, which all transports can carry at these losses. Latency is from the call of Isend to the end of " +
			"Wait, by the one clock of the machine; half a round trip, 10 ms, is the least. The small messages' own packets are " +
			"lost too: a share of them as large as the loss cannot come in time by any transport.",
		Variants: withSingle(),
		Metrics:  append(latencyMetrics(), plan.Metric{Name: "bulk", Title: "throughput of bulk", Unit: "Mbit/s"}),
		Charts: []plan.Chart{
			{Metric: "p50", X: "loss", Bars: true, LogY: true},
			{Metric: "p95", X: "loss", Bars: true, LogY: true},
			{Metric: "p99", X: "loss", Bars: true, LogY: true},
			{Metric: "bulk", X: "loss", Bars: true},
		},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 170*time.Second, 2*time.Hour),
	}
	const slow = 50 * time.Millisecond
	type load struct {
		name         string
		size         int
		every, small time.Duration
	}
	usual := []load{{"all it can", 30 << 10, 0, slow}, {"all it can", 300 << 10, 0, slow}}
	more := []load{
		{"3 Mbit/s", 30 << 10, 80 * time.Millisecond, slow},
		// So many small messages that a stream has to have several turns for each of another with bulk.
		{"all it can", 30 << 10, 0, 10 * time.Millisecond},
	}
	for _, l := range pick(quick, usual, append(usual, more...)) {
		for _, loss := range pick(quick, []float64{1}, []float64{0, 1, 2}) {
			e.Cases = append(e.Cases, plan.Case{
				Factors: []plan.Factor{
					{Name: "bulk", Label: fmt.Sprintf("%d KiB, %s", l.size>>10, l.name)},
					{Name: "small messages every", Value: float64(l.small) / 1e6, Unit: " ms"},
					rttFactor(rtt), lossFactor(loss),
				},
				Ranks: 2, Hosts: 2, Conditions: network(rtt, loss),
				Program: "hol",
				Params: ranks.HeadOfLine{
					Small: 256, Count: pick(quick, 120, 1000), Every: l.small,
					Bulk: l.size, Window: 16, BulkEvery: l.every,
				},
				Timeout: pick(quick, 40*time.Second, 3*time.Minute),
			})
		}
	}
	return e
}
