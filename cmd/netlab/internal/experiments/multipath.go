package experiments

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

// What multipath compares, over two networks.
var (
	twoNetworks  = with(engine, "multipath off", interfaces)
	atOnce       = with(engine, "multipath on", interfaces, "SCTPMPI_MULTIPATH=on")
	betterAlone  = with(engine, "better network alone", "SCTPMPI_INTERFACE=eth0")
	pathVariants = []plan.Variant{betterAlone, twoNetworks, atOnce}
)

const interfaces = "SCTPMPI_INTERFACE=eth0,eth1"

func multipath(quick bool) plan.Experiment {
	e := plan.Experiment{
		Name: "multipath", Title: "Two networks at once",
		Question: "What do two networks carry together, and what does a job lose when one of them is cut?",
		Setup: "Two hosts joined by two networks. Rank 0 sends rank 1 messages of 30 KiB, as much as it can, for ten seconds, of which the first two do not count. The first network has 20 Mbit/s and a round trip of 20 ms, the second " +
			"what the case says. A cut takes the first away for three seconds in the middle.",
		Variants: append(designs(), pathVariants...),
		Metrics: []plan.Metric{
			{Name: "throughput", Title: "throughput", Unit: "Mbit/s"},
			{Name: "gap", Title: "longest time without a message", Unit: "ms"},
			{Name: "again", Title: "sent again", Unit: "%"},
		},
		Ratios: []plan.Ratio{{Metric: "throughput", Variant: betterAlone.Name, Title: "throughput, by the better network alone"}},
		Charts: []plan.Chart{{Metric: "throughput", X: "loss", Bars: true}, {Metric: "gap", X: "cut", Bars: true, LogY: true}},
		Rounds: pick(quick, 1, plan.LeastJobs),
		Budget: pick(quick, 2*time.Minute, 40*time.Minute),
	}
	type networks struct {
		mbits int
		rtt   time.Duration
		loss  float64
		cut   time.Duration
	}
	equal, slow := networks{mbits: 20, rtt: 20 * time.Millisecond}, networks{mbits: 5, rtt: 100 * time.Millisecond}
	var all []networks
	for _, n := range []networks{equal, slow} {
		lossy, cut := n, n
		lossy.loss, cut.cut = 1, 3*time.Second
		all = append(all, n, lossy, cut)
	}
	for _, n := range pick(quick, all[:1], all) {
		first := congested{mbits: 20, rtt: 20 * time.Millisecond, loss: n.loss, queue: 2}.network()
		second := congested{mbits: n.mbits, rtt: n.rtt, loss: n.loss, queue: 2}.network()
		p := ranks.Bulk{Flows: 1, Size: 30 << 10, Under: 64, For: pick(quick, 4*time.Second, 10*time.Second), Settle: pick(quick, time.Second, 2*time.Second)}
		c := plan.Case{
			Factors: []plan.Factor{
				{Name: "second network", Label: fmt.Sprintf("%d Mbit/s, %d ms", n.mbits, n.rtt.Milliseconds())}, lossFactor(n.loss),
				{Name: "cut", Value: n.cut.Seconds(), Unit: " s"},
			},
			Ranks: 2, Hosts: 2, Links: 2, Conditions: first, Second: &second,
			Program: "bulk", Params: p, Timeout: time.Minute, Only: only(pathVariants...),
		}
		if n.cut > 0 {
			c.Cut = &plan.Cut{After: p.For / 2, For: n.cut}
		}
		e.Cases = append(e.Cases, c)
	}
	return e
}
