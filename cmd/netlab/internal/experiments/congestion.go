package experiments

import (
	"math"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
	"github.com/sctpmpi/sctpmpi/internal/netem"
)

// controls are the congestion controls that are compared, of the engine and of the kernel's TCP.
func controls() []plan.Variant {
	return []plan.Variant{perPair, perPairBBR, engine, engineBBR, engineDraft}
}

// congested is what differs between the cases.
type congested struct {
	mbits  int
	rtt    time.Duration
	loss   float64
	bursts bool
	queue  float64 // bandwidth-delay products
	flows  int
	beside bool
}

// usualCongestion is the case from which others differ.
var usualCongestion = congested{mbits: 20, rtt: 20 * time.Millisecond, queue: 1, flows: 1}

// mustCongestion are the cases without which there is nothing to say.
func mustCongestion() (all []congested) {
	for _, change := range []func(c *congested){
		func(*congested) {},
		func(c *congested) { c.loss = 1 },
		func(c *congested) { c.loss = 5 },
		func(c *congested) { c.queue = 0.2 },
		func(c *congested) { c.queue = 5 },
		func(c *congested) { c.flows = 4 },
		func(c *congested) { c.beside = true },
		func(c *congested) { c.mbits, c.rtt = 100, 100*time.Millisecond },
	} {
		c := usualCongestion
		change(&c)
		all = append(all, c)
	}
	return all
}

// gridCongestion are all cases but those.
func gridCongestion() (all []congested) {
	var grid []congested
	for _, mbits := range []int{5, 20, 100} {
		for _, rtt := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
			for _, loss := range []float64{0, 1} {
				grid = append(grid, congested{mbits: mbits, rtt: rtt, loss: loss, queue: 1, flows: 1})
			}
		}
	}
	for _, rtt := range []time.Duration{20 * time.Millisecond, 100 * time.Millisecond} {
		for _, loss := range []float64{0.2, 2, 5} {
			grid = append(grid, congested{mbits: 20, rtt: rtt, loss: loss, queue: 1, flows: 1})
		}
		for _, loss := range []float64{1, 2, 5} {
			grid = append(grid, congested{mbits: 20, rtt: rtt, loss: loss, bursts: true, queue: 1, flows: 1})
		}
		for _, queue := range []float64{0.2, 1, 5} {
			for _, flows := range []int{1, 2, 4} {
				grid = append(grid, congested{mbits: 20, rtt: rtt, queue: queue, flows: flows})
			}
			grid = append(grid, congested{mbits: 20, rtt: rtt, queue: queue, flows: 1, beside: true})
		}
	}
	seen := map[congested]bool{}
	for _, c := range mustCongestion() {
		seen[c] = true
	}
	for _, c := range grid {
		if !seen[c] {
			seen[c] = true
			all = append(all, c)
		}
	}
	return all
}

// network are the conditions of all links. The queue is that of the sender's link, beside what is under way there.
func (c congested) network() netem.Conditions {
	const packet = 1500 * 8 // bits
	rate := netem.BitRate(c.mbits) * netem.Mbit
	product := float64(rate) * c.rtt.Seconds() / packet
	n := netem.Conditions{Delay: c.rtt / 2, Rate: rate, Limit: uint32(math.Ceil(product/2 + max(c.queue*product, 4)))}
	if c.bursts {
		n.LossBurst = bursts(c.loss)
	} else {
		n.Loss = netem.Percent(c.loss)
	}
	return n
}

func (c congested) plan(quick bool) plan.Case {
	losses := "of single packets"
	if c.bursts {
		losses = "in bursts"
	}
	beside, algorithm := "nothing", ""
	if c.beside {
		beside, algorithm = "CUBIC", "cubic"
	}
	p := ranks.Bulk{
		Flows: c.flows, Size: 30 << 10, Under: 32, For: pick(quick, 4*time.Second, 8*time.Second), Settle: pick(quick, time.Second, 2*time.Second),
		Probe: 20 * time.Millisecond, Beside: algorithm,
	}
	return plan.Case{
		Factors: []plan.Factor{
			{Name: "rate", Value: float64(c.mbits), Unit: " Mbit/s"}, rttFactor(c.rtt), {Name: "losses", Label: losses}, lossFactor(c.loss),
			{Name: "queue", Value: c.queue, Unit: " BDP"}, {Name: "flows", Value: float64(c.flows)}, {Name: "beside", Label: beside},
		},
		Ranks: p.Ranks(), Hosts: p.Ranks(), Conditions: c.network(),
		Program: "bulk", Params: p, Timeout: time.Minute, Only: only(controls()...),
	}
}

func congestion(quick bool) plan.Experiment {
	beside := usualCongestion
	beside.beside = true
	return congestionOf("congestion", "Congestion control", quick, pick(quick, []congested{usualCongestion, beside}, mustCongestion()), pick(quick, 4*time.Minute, time.Hour))
}

func congestionGrid(quick bool) plan.Experiment {
	return congestionOf("congestion-grid", "Congestion control, all cases", quick, pick(quick, gridCongestion()[:2], gridCongestion()), pick(quick, 4*time.Minute, 6*time.Hour))
}

func congestionOf(name, title string, quick bool, cases []congested, budget time.Duration) plan.Experiment {
	e := plan.Experiment{
		Name: name, Title: title,
		Question: "What do the congestion controls of the engine and of TCP get of a link, how long is the queue that they make, and what is left for others?",
		Setup: "Rank 0 sends messages of 30 KiB to one, two or four ranks, as much as it can, for eight seconds, of which the first two do not count. All go through its link. One more rank gets 64 bytes every 20 ms over a " +
			"connection of its own: what they take beyond half of the round trip they have waited in the queue of that link. Sent again are chunks of SCTP, or segments of TCP. Fairness is Jain's index. Beside one flow a connection of plain TCP with CUBIC " +
			"may go to the same host; the share is what the flow has of both, and its segments count among those sent again where the flow is TCP too. Bursts of loss are of three packets on average (Gilbert–Elliott).",
		Variants: append(append(designs(), perPairBBR), engineBBR, engineDraft),
		Metrics: []plan.Metric{
			{Name: "throughput", Title: "throughput of all flows", Unit: "Mbit/s"},
			{Name: "wait50", Title: "median delay of short messages", Unit: "ms"},
			{Name: "wait99", Title: "99th percentile of that", Unit: "ms"},
			{Name: "again", Title: "sent again", Unit: "%"},
			{Name: "fairness", Title: "Jain's index"},
			{Name: "beside", Title: "throughput of CUBIC beside", Unit: "Mbit/s"},
			{Name: "share", Title: "share of both", Unit: "%"},
			{Name: "gap", Title: "longest time without a message", Unit: "ms"},
		},
		Ratios: []plan.Ratio{{Metric: "throughput", Variant: perPair.Name, Title: "throughput, by tcp-perpair"}},
		Charts: []plan.Chart{{Metric: "throughput", X: "loss", Bars: true}, {Metric: "wait50", X: "queue", Bars: true, LogY: true}},
		Rounds: pick(quick, 1, plan.LeastJobs),
		Budget: budget,
	}
	for _, c := range cases {
		e.Cases = append(e.Cases, c.plan(quick))
	}
	return e
}
