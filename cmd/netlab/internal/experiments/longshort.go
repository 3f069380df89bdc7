package experiments

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

func longShort(quick bool) plan.Experiment {
	const rtt = 20 * time.Millisecond
	e := plan.Experiment{
		Name:     "longshort",
		Title:    "Short behind long",
		Question: "How long does a short message wait that is sent right after long ones with another tag?",
		Setup: "Rank 1 starts long messages to rank 0 and then a shorter one; all receives are posted. sctprpi sends long " +
			"messages in fragments, one of each in turn; with interleave, SCTP itself mixes them (RFC 8260), as it does for " +
			"sctp-pertrc. With one stream they still take turns, but share what is lost. Latency is that of the shorter message.",
		Variants: append(withSingle(), kernelInterleave, engineInterleave),
		Metrics:  append(latencyMetrics(), plan.Metric{Name: "all", Title: "median time until all are there", Unit: "ms"}),
		Charts:   []plan.Chart{{Metric: "p50", X: "loss", Bars: true}},
		Rounds:   pick(quick, 1, plan.LeastJobs),
		Budget:   pick(quick, 3*time.Minute, 80*time.Minute),
	}
	for _, m := range []struct{ long, longs, short int }{{1 << 20, 4, 4 << 10}, {4 << 20, 1, 300 << 10}} {
		for _, loss := range pick(quick, []float64{0}, []float64{0, 1}) {
			e.Cases = append(e.Cases, plan.Case{
				Factors: []plan.Factor{
					{Name: "messages", Label: fmt.Sprintf("%d KiB behind %d × %d MiB", m.short>>10, m.longs, m.long>>20)},
					rttFactor(rtt), lossFactor(loss),
				},
				Ranks: 2, Hosts: 2, Conditions: network(rtt, loss),
				Program: "longshort",
				Params:  ranks.LongShort{Long: m.long, Longs: m.longs, Short: m.short, Count: pick(quick, 2, 4)},
				Timeout: pick(quick, 30*time.Second, 3*time.Minute),
			})
		}
	}
	return e
}
