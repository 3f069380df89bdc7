package experiments

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

func streams(quick bool) plan.Experiment {
	const rtt, loss = 20 * time.Millisecond, 2
	e := plan.Experiment{
		Name:     "streams",
		Title:    "How many streams",
		Question: "How many streams are enough, and what do many cost?",
		Setup: "Rank 1 sends rank 0 messages of 1 KiB with 64 tags in turn, one every 4 ms, 2 Mbit/s. Tags that share a stream " +
			"wait for each other's lost packets. A tag has its next message after a quarter of a second, so that none waits for " +
			"its own tag. sctp-pertrc shares no stream. If it has fewer than tags, an idle one is given to the next tag, " +
			"which takes a round trip. One stream is not enough for it, as it needs one beside for control.",
		Variants: []plan.Variant{kernel, engine, streamPerTRC},
		Metrics:  append(latencyMetrics(), plan.Metric{Name: "memory", Title: "resident memory of rank 0", Unit: "MiB"}),
		Charts: []plan.Chart{
			{Metric: "p95", X: "streams", LogX: true},
			{Metric: "p99", X: "streams", LogX: true},
			{Metric: "memory", X: "streams", LogX: true},
		},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 3*time.Minute, 30*time.Minute),
	}
	for _, n := range []int{1, 8, 64, 4096} {
		c := plan.Case{
			Factors: []plan.Factor{rttFactor(rtt), lossFactor(loss), {Name: "streams", Value: float64(n)}},
			Ranks:   2, Hosts: 2, Conditions: network(rtt, loss),
			Program: "streams",
			Params:  ranks.Streams{Tags: 64, Count: pick(quick, 16, 64), Size: 1 << 10, Every: 4 * time.Millisecond},
			Env:     []string{fmt.Sprint("SCTPMPI_STREAMS=", n)},
			Timeout: 60 * time.Second,
		}
		if n == 1 {
			c.Only = []string{kernel.Name, engine.Name}
		}
		e.Cases = append(e.Cases, c)
	}
	return e
}
