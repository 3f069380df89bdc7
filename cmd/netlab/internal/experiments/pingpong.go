package experiments

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

func pingPong(quick bool) plan.Experiment {
	e := plan.Experiment{
		Name:     "pingpong-loss",
		Title:    "Ping-pong under loss",
		Question: "How much of its throughput does one conversation keep when packets are lost?",
		Setup: "Two ranks send a message to and fro; one message is under way at a time. Throughput counts the bytes of both " +
			"directions. There is one TRC for each direction, so that streams have nothing to keep apart: what differs is how " +
			"losses are recovered.",
		Variants: append(designs(), best()...),
		Metrics: []plan.Metric{
			{Name: "throughput", Title: "throughput", Unit: "Mbit/s"},
			{Name: "roundtrip", Title: "mean round trip of a message", Unit: "ms"},
		},
		Charts: []plan.Chart{{Metric: "throughput", X: "loss"}},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 3*time.Minute, 50*time.Minute),
	}
	for _, rtt := range pick(quick, []time.Duration{time.Millisecond}, []time.Duration{time.Millisecond, 20 * time.Millisecond}) {
		for _, size := range []int{30 << 10, 300 << 10} {
			for _, loss := range []float64{0, 1, 2} {
				c := plan.Case{
					Factors: []plan.Factor{sizeFactor(size), rttFactor(rtt), lossFactor(loss)},
					Ranks:   2, Hosts: 2, Conditions: network(rtt, loss),
					Program: "pingpong",
					Params:  ranks.PingPong{Size: size, Least: 5, AtLeast: pick(quick, time.Second, 3*time.Second)},
					Timeout: 2 * time.Minute,
				}
				if rtt == time.Millisecond {
					c.Only = only(designs()...)
				}
				e.Cases = append(e.Cases, c)
			}
		}
	}
	return e
}
