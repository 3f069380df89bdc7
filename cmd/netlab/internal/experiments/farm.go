package experiments

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

func farm(quick bool) plan.Experiment {
	e := plan.Experiment{
		Name:     "farm-loss",
		Title:    "Manager and workers under loss",
		Question: "How long does a whole program take, whose messages differ in tag and need not wait for each other?",
		Setup: "The farm of the thesis: rank 0 hands out tasks on request. A worker has ten requests under way, the tasks of " +
			"each with a tag of its own, and each request is answered by as many tasks as the fanout says. When all have asked, " +
			"tasks are dealt to one worker after the other, so that each gets its share. Nothing is computed: " +
			"messages are all that takes time. The kernel's SCTP runs with the library's floor of the retransmission timeout, " +
			"50 ms, and with that of RFC 9260 and of Linux, a second.",
		Variants: append(withSingle(), kernelSlow),
		Metrics: []plan.Metric{
			{Name: "time", Title: "total time", Unit: "s"},
			{Name: "throughput", Title: "throughput of tasks", Unit: "Mbit/s"},
			{Name: "cpu", Title: "processor time of the manager", Unit: "s"},
		},
		Charts: []plan.Chart{{Metric: "time", X: "loss", Bars: true}},
		Rounds: pick(quick, 5, 9),
		Budget: pick(quick, 230*time.Second, 4*time.Hour),
	}
	type task struct{ size, fanout, tasks int }
	tasks := pick(quick,
		[]task{{30 << 10, 10, 200}, {300 << 10, 10, 24}},
		[]task{{30 << 10, 1, 1000}, {30 << 10, 10, 1000}, {300 << 10, 1, 200}, {300 << 10, 10, 200}})
	for _, rtt := range pick(quick, []time.Duration{20 * time.Millisecond},
		[]time.Duration{time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond}) {
		for _, t := range tasks {
			for _, loss := range []float64{0, 1, 2} {
				e.Cases = append(e.Cases, plan.Case{
					Factors: []plan.Factor{
						sizeFactor(t.size), {Name: "fanout", Value: float64(t.fanout)}, rttFactor(rtt), lossFactor(loss),
					},
					Ranks: 4, Hosts: 4, Conditions: network(rtt, loss),
					Program: "farm",
					Params:  ranks.Farm{Tasks: t.tasks, Size: t.size, Fanout: t.fanout, Slots: 10, Result: 64},
					Timeout: pick(quick, 40*time.Second, 10*time.Minute),
				})
			}
		}
	}
	return e
}
