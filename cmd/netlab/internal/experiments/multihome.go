package experiments

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

// What multihome varies: see docs/experiments/multihome.md.
var (
	kernelWaits    = plan.Variant{Name: "sctp-kernel, no PF", Transport: "sctp-kernel", Sysctls: map[string]string{"net/sctp/pf_retrans": "5"}}
	perPairHasty   = with(perPair, hasty, shortPeerTimeout)
	kernelHasty    = with(kernel, hasty, shortPeerTimeout)
	engineHasty    = with(engine, hasty, shortPeerTimeout)
	streamTRCHasty = with(streamPerTRC, hasty, shortPeerTimeout)
)

const (
	hasty            = "peer time-out 4 s"
	shortPeerTimeout = "SCTPMPI_PEER_TIMEOUT=4s"
)

func multihome(quick bool) plan.Experiment {
	sctp := []plan.Variant{kernel, engine, streamPerTRC}
	soon := []plan.Variant{kernelHasty, engineHasty, streamTRCHasty}
	settings := []plan.Variant{kernelSlow, kernelWaits}
	e := plan.Experiment{
		Name:     "multihome",
		Title:    "Two networks, one cut",
		Question: "How long is a job interrupted when the network it uses is cut, and there is another?",
		Setup: "Two hosts with one rank each, joined by one or two networks. Rank 1 sends rank 0 messages of 4 KiB every 10 ms, 3.3 Mbit/s, up to 64 under way. " +
			"The first network loses all packets for a time, then it is as before. Throughput is that of bodies of messages; where nothing came " +
			"for a while it is higher afterwards than what is sent, as those under way come at once.",
		Variants: append(append(append(designs(), settings...), perPairHasty), soon...),
		Metrics: []plan.Metric{
			{Name: "gap", Title: "longest time without a message", Unit: "ms"},
			{Name: "before", Title: "throughput before the cut", Unit: "Mbit/s"},
			{Name: "during", Title: "throughput during the cut", Unit: "Mbit/s"},
			{Name: "after", Title: "throughput after the cut", Unit: "Mbit/s"},
			{Name: "back", Title: "first network is used again after", Unit: "s"},
			{Name: "lost", Title: "the peer is given up after", Unit: "s"},
		},
		Charts: []plan.Chart{{Metric: "gap", X: "cut", Bars: true, LogY: true}, {Metric: "back", X: "cut", Bars: true}},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 150*time.Second, 70*time.Minute),
	}
	if quick {
		e.Cases = []plan.Case{cutOff(1, time.Second, quick, perPair, kernel, engine), cutOff(2, 3*time.Second, quick, sctp...)}
		return e
	}
	e.Cases = []plan.Case{
		cutOff(1, time.Second, quick, designs()...),
		cutOff(1, 3*time.Second, quick, append(designs(), kernelSlow)...),
		cutOff(1, 12*time.Second, quick, append([]plan.Variant{perPairHasty}, soon...)...),
		cutOff(2, 3*time.Second, quick, append(sctp, settings...)...),
		cutOff(2, 8*time.Second, quick, append(sctp, soon...)...),
	}
	return e
}

// cutOff is the case of a cut of the first of one or two networks, for some variants.
func cutOff(networks int, lasts time.Duration, quick bool, variants ...plan.Variant) plan.Case {
	const rtt, every = 20 * time.Millisecond, 10 * time.Millisecond
	before, after := time.Second, pick(quick, 3*time.Second, 8*time.Second)
	work := before + after
	if networks == 2 {
		work += lasts // with one, nothing is sent meanwhile
	}
	c := plan.Case{
		Factors: []plan.Factor{
			rttFactor(rtt), {Name: "networks", Value: float64(networks)}, {Name: "cut", Value: lasts.Seconds(), Unit: " s"},
		},
		Ranks: 2, Hosts: 2, Links: 2, Conditions: network(rtt, 0),
		Cut:     &plan.Cut{After: before, For: lasts},
		Program: "multihome",
		Params: ranks.Multihome{
			Size: 4 << 10, Count: int(work / every), Every: every, Window: 64, After: before, For: lasts,
		},
		Timeout: time.Minute,
	}
	if networks == 2 {
		c.Env = []string{"SCTPMPI_INTERFACE=eth0,eth1"}
	}
	c.Only = only(variants...)
	return c
}
