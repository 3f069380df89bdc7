package experiments

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

func sockets(quick bool) plan.Experiment {
	e := plan.Experiment{
		Name:     "sockets",
		Title:    "What a TRC costs",
		Question: "How many sockets, how much memory and processor time do many ranks and tags take, and where does it end?",
		Setup: "All ranks, each on a host of its own, send each other messages of 64 bytes with each of the tags, twice. Sockets " +
			"and resident memory are those of the rank that has most at the end. Processor time and waits, the times that a " +
			"thread waited in the kernel, are by messages sent and received; they include the making of connections. So are system " +
			"calls that move messages, wait for them or make connections, as the transports count them. Files, and so " +
			"sockets, are limited as the report says. That a job fails, or does not end within two minutes, is a result: it says where a design ends.",
		Ends:     true,
		Variants: designs(),
		Metrics: []plan.Metric{
			{Name: "sockets", Title: "sockets of a rank"},
			{Name: "memory", Title: "resident memory of a rank", Unit: "MiB"},
			{Name: "cpu", Title: "processor time of a message", Unit: "µs"},
			{Name: "waits", Title: "waits in the kernel for a message"},
			{Name: "calls", Title: "system calls of a message"},
		},
		Charts: []plan.Chart{
			{Metric: "sockets", X: "tags", LogX: true, LogY: true},
			{Metric: "memory", X: "tags", LogX: true},
			{Metric: "cpu", X: "tags", LogX: true, LogY: true},
			{Metric: "calls", X: "tags", LogX: true, LogY: true},
		},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 4*time.Minute, 90*time.Minute),
	}
	for _, n := range pick(quick, []int{2, 4}, []int{2, 4, 8}) {
		for _, tags := range pick(quick, []int{1, 32, 1024}, []int{1, 32, 1024, 4096}) {
			e.Cases = append(e.Cases, plan.Case{
				Factors: []plan.Factor{{Name: "ranks", Value: float64(n)}, {Name: "tags", Value: float64(tags)}},
				Ranks:   n, Hosts: n, Conditions: network(0, 0),
				Program: "sockets",
				Params:  ranks.Sockets{Tags: tags, Count: 2, Size: 64},
				Timeout: pick(quick, 30*time.Second, 2*time.Minute),
			})
		}
	}
	return e
}
