package experiments

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

func reorder(quick bool) plan.Experiment {
	const rtt = 20 * time.Millisecond
	e := plan.Experiment{
		Name:     "reorder",
		Title:    "Packets that overtake each other",
		Question: "What do packets cost that come later than those sent after them, as with Dummynet?",
		Setup: "A share of all packets takes 5 ms more than the others, which overtake them; none is lost, unless the case says so. The first work is " +
			"the ping-pong of pingpong-loss with messages of 300 KiB: what counts is whether late packets are taken for lost ones, sent again, and the " +
			"window made smaller. The second is hol's: small messages beside bulk of 1.75 Mbit/s, late when they take longer than the 99th percentile " +
			"in order.",
		Variants: append(withSingle(), best()...),
		Metrics: append([]plan.Metric{
			{Name: "throughput", Title: "throughput of the ping-pong", Unit: "Mbit/s"},
		}, lateMetrics()...),
		Ratios: []plan.Ratio{
			{Metric: "throughput", Factor: "reordered", Value: 0, Title: "throughput, by that in order"},
			{Metric: "delayed", Variant: perPair.Name, Title: "late, by tcp-perpair"},
		},
		Charts: []plan.Chart{{Metric: "throughput", X: "reordered", Bars: true}, {Metric: "blocked", X: "reordered", Bars: true}},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 8*time.Minute, 100*time.Minute),
	}
	for _, work := range []string{"ping-pong", "hol"} {
		for _, loss := range pick(quick || work == "hol", []float64{0}, []float64{0, 1}) {
			for _, share := range pick(quick, []float64{0, 25}, []float64{0, 5, 25}) {
				c := plan.Case{
					Factors: []plan.Factor{
						{Name: "work", Label: work}, rttFactor(rtt), lossFactor(loss), {Name: "reordered", Value: share, Unit: "%"},
					},
					Ranks: 2, Hosts: 2, Conditions: network(rtt, loss), Sent: late(share),
					Program: "pingpong",
					Params:  ranks.PingPong{Size: 300 << 10, Least: 5, AtLeast: pick(quick, 2*time.Second, 4*time.Second)},
					Timeout: time.Minute,
				}
				if work == "hol" {
					c.Only = only(withSingle()...)
					c.Program, c.Calm = work, true
					c.Params = paced(quick, 1.75, loss < 0.5)
				} else {
					c.Only = only(append(designs(), best()...)...)
				}
				e.Cases = append(e.Cases, c)
			}
		}
	}
	return e
}
