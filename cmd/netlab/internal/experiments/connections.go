package experiments

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

func connections(quick bool) plan.Experiment {
	e := plan.Experiment{
		Name:     "connections",
		Title:    "Idle connections",
		Question: "Do two ranks talk more slowly when each has connections to many others that are silent?",
		Setup: "All are ranks of one process, on loopback without netem, as so many processes would need more memory than a lab " +
			"has. Each idle rank has sent a message to ranks 0 and 1, which then do a ping-pong of 64 bytes, and one of 1 MiB.",
		Variants: designs(),
		Metrics: []plan.Metric{
			{Name: "roundtrip", Title: "mean round trip of 64 bytes", Unit: "µs"},
			{Name: "bandwidth", Title: "throughput with 1 MiB", Unit: "Mbit/s"},
			{Name: "memory", Title: "resident memory of all ranks", Unit: "MiB"},
			{Name: "sockets", Title: "sockets of all ranks"},
		},
		Charts: []plan.Chart{
			{Metric: "roundtrip", X: "idle peers", LogX: true, LogY: true},
			{Metric: "bandwidth", X: "idle peers", LogX: true},
			{Metric: "memory", X: "idle peers", LogX: true},
		},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 3*time.Minute, 40*time.Minute),
	}
	for _, idle := range pick(quick, []int{0, 100, 300}, []int{0, 10, 100, 300, 1000}) {
		e.Cases = append(e.Cases, plan.Case{
			Factors: []plan.Factor{{Name: "idle peers", Value: float64(idle)}},
			Ranks:   1, Hosts: 2,
			Program: "connections",
			Params:  ranks.Connections{Idle: idle, Small: 64, Long: 1 << 20, AtLeast: pick(quick, time.Second, 3*time.Second)},
			Timeout: pick(quick, 30*time.Second, 3*time.Minute),
		})
	}
	return e
}
