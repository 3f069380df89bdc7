package experiments

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

func senderQueue(quick bool) plan.Experiment {
	const rtt = 20 * time.Millisecond
	e := plan.Experiment{
		Name:     "sender-queue",
		Title:    "Sharing a sender's queue",
		Question: "How late do small messages of one TRC come when another sends all it can to the same rank?",
		Setup: "Rank 1 sends rank 0 messages of 256 bytes at intervals, with one tag, and bulk with another: messages of 30 KiB, " +
			"which are short to the library, or of 300 KiB, which are long, as fast as it can, 16 under way. The small ones wait for what is queued " +
			"at the sender; that they wait for lost packets hardly matters beside it, which is what hol measures. Latency is from the call of Isend to the end of " +
			"Wait, by the one clock of the machine; half a round trip, 10 ms, is the least.",
		Variants: withSingle(),
		Metrics:  append(latencyMetrics(), plan.Metric{Name: "bulk", Title: "throughput of bulk", Unit: "Mbit/s"}),
		Ratios:   []plan.Ratio{{Metric: "p95", Variant: perPair.Name, Title: "95th percentile, by tcp-perpair"}},
		Charts: []plan.Chart{
			{Metric: "p50", X: "loss", Bars: true, LogY: true},
			{Metric: "p95", X: "loss", Bars: true, LogY: true},
			{Metric: "bulk", X: "loss", Bars: true},
		},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 5*time.Minute, 65*time.Minute),
	}
	const slow, fast = 50 * time.Millisecond, 10 * time.Millisecond
	type load struct {
		size  int
		small time.Duration
		loss  float64
	}
	// So many small messages, at last, that a stream has to have several turns for each of another with bulk.
	for _, l := range pick(quick, []load{{30 << 10, slow, 1}, {300 << 10, slow, 1}},
		[]load{{30 << 10, slow, 0}, {30 << 10, slow, 1}, {300 << 10, slow, 0}, {300 << 10, slow, 1}, {30 << 10, fast, 1}}) {
		e.Cases = append(e.Cases, plan.Case{
			Factors: []plan.Factor{
				{Name: "bulk", Label: fmt.Sprintf("%d KiB", l.size>>10)},
				{Name: "small messages every", Value: float64(l.small) / 1e6, Unit: " ms"},
				rttFactor(rtt), lossFactor(l.loss),
			},
			Ranks: 2, Hosts: 2, Conditions: network(rtt, l.loss),
			Program: "senderqueue",
			Params:  ranks.SenderQueue{Small: 256, Count: int(pick(quick, 6*time.Second, 12*time.Second) / l.small), Every: l.small, Bulk: l.size, Window: 16},
			Timeout: pick(quick, 40*time.Second, 3*time.Minute),
		})
	}
	return e
}
