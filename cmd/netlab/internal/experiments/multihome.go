package experiments

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

func multihome(quick bool) plan.Experiment {
	const rtt = 20 * time.Millisecond
	socket := func(name, kind string) plan.Variant {
		return plan.Variant{Name: name, Env: []string{ranks.SocketVariable + "=" + kind}}
	}
	names := []string{"TCP", "kernel's SCTP", "engine"}
	e := plan.Experiment{
		Name:     "multihome",
		Title:    "Two paths, one cut",
		Question: "How long is a conversation interrupted when the path it uses is cut, and there is another?",
		Setup: "Two hosts with two links each. A message of 256 bytes goes every 10 ms; after a second the first link loses all " +
			"packets for three seconds. The sockets are used directly, set up as by the MPI transports. The longest time without a message is what counts. TCP has one path in any case.",
		Variants: []plan.Variant{socket(names[0], "tcp"), socket(names[1], "kernel"), socket(names[2], "engine")},
		Metrics: []plan.Metric{
			{Name: "gap", Title: "longest time without a message", Unit: "ms"},
			{Name: "p99", Title: "99th percentile of latency", Unit: "ms"},
			{Name: "max", Title: "greatest latency", Unit: "ms"},
		},
		Charts: []plan.Chart{{Metric: "gap", X: "paths", Bars: true, LogY: true}},
		Rounds: pick(quick, 2, 15),
		Budget: pick(quick, 60*time.Second, time.Hour),
	}
	for _, paths := range []int{1, 2} {
		c := plan.Case{
			Factors: []plan.Factor{rttFactor(rtt), {Name: "paths", Value: float64(paths)}},
			Ranks:   2, Hosts: 2, Links: 2, Conditions: network(rtt, 0),
			Cut:     &plan.Cut{After: time.Second, For: 3 * time.Second},
			Program: "multihome",
			Params:  ranks.Multihome{Size: 256, Count: 600, Every: 10 * time.Millisecond, Paths: paths},
			Timeout: 30 * time.Second,
		}
		if paths == 2 {
			c.Only = names[1:]
		}
		e.Cases = append(e.Cases, c)
	}
	return e
}
