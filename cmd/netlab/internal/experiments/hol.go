package experiments

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
	"github.com/sctpmpi/sctpmpi/internal/netem"
)

// latencyMetrics are those of package ranks for latencies.
func latencyMetrics() []plan.Metric {
	return []plan.Metric{
		{Name: "p50", Title: "median latency", Unit: "ms"},
		{Name: "p90", Title: "90th percentile of latency", Unit: "ms"},
		{Name: "p95", Title: "95th percentile of latency", Unit: "ms"},
		{Name: "p99", Title: "99th percentile of latency", Unit: "ms"},
		{Name: "max", Title: "greatest latency", Unit: "ms"},
	}
}

// lateMetrics are those of the program hol.
func lateMetrics() []plan.Metric {
	return append([]plan.Metric{
		{Name: "blocked", Title: "late for what bulk has lost", Unit: "%"},
		{Name: "delayed", Title: "late beside bulk", Unit: "%"},
		{Name: "own", Title: "late alone", Unit: "%"},
		{Name: "calm", Title: "99th percentile without loss", Unit: "ms"},
		{Name: "bulk", Title: "throughput of bulk", Unit: "Mbit/s"},
	}, latencyMetrics()[:4]...)
}

// Variants that only hol has: the receiver takes what comes, and MPI has it come in order.
func anyTag(all []plan.Variant) []plan.Variant {
	some := make([]plan.Variant, len(all))
	for i, v := range all {
		some[i] = with(v, "AnyTag", ranks.ReceiveVariable+"=any")
	}
	return some
}

// paced are the program's messages beside bulk of so many Mbit/s.
func paced(quick bool, mbits float64, ninetyNinth bool) ranks.HeadOfLine {
	const bulk = 4 << 10 // three packets, so that a message does not fill a window
	return ranks.HeadOfLine{
		Small: 256, SmallEvery: 20 * time.Millisecond,
		Bulk: bulk, BulkEvery: time.Duration(bulk * 8 / mbits * float64(time.Microsecond)),
		Calm: pick(quick, 100, 200), Beside: pick(quick, 200, 500), Alone: pick(quick, 100, 250),
		Settle: 300 * time.Millisecond, NinetyNinth: ninetyNinth,
	}
}

func headOfLine(quick bool) plan.Experiment {
	const rtt = 20 * time.Millisecond
	e := plan.Experiment{
		Name:     "hol",
		Title:    "Head-of-line blocking",
		Question: "How many small messages of one TRC come late because another TRC to the same rank has lost packets?",
		Setup: "Rank 1 sends rank 0 messages of 256 bytes every 20 ms with one tag, and of 4 KiB with another, at no more than a quarter of the rate " +
			"that congestion control allows at the loss, so that nothing queues at the sender, also when a loss has made the window smaller. A job has three phases: without loss, with it, and the small " +
			"messages alone with it. Late is what takes longer than the 99th percentile of the first phase; so 1% is late where nothing is lost. Those that " +
			"are late alone have lost a packet of their own, or follow one of their TRC: no design can help. The difference is head-of-line blocking. " +
			"Latency is from the call of Isend to the end of Wait, by the one clock of the machine; 10 ms is the least. With AnyTag the receiver " +
			"takes all messages by receives for any tag, which MPI has to match in the order of sending. Bursts of loss are of three packets on " +
			"average (Gilbert–Elliott).",
		Variants: append(append(withSingle(), kernelInterleave, engineInterleave), append(anyTag(designs()), bestTCP()...)...),
		Metrics:  lateMetrics(),
		Ratios: []plan.Ratio{
			{Metric: "delayed", Variant: perPair.Name, Title: "late, by tcp-perpair"},
			{Metric: "delayed", Variant: engineSingle.Name, Title: "late, by sctp-engine, streams=1"},
		},
		Charts: []plan.Chart{
			{Metric: "blocked", X: "loss", Bars: true},
			{Metric: "delayed", X: "loss", Bars: true},
			{Metric: "p90", X: "loss", Bars: true, LogY: true},
			{Metric: "p95", X: "loss", Bars: true, LogY: true},
		},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 7*time.Minute, 200*time.Minute),
	}
	type load struct {
		loss, mbits float64
		bursts, all bool // whether all variants take part
	}
	usual := []load{
		{0, 1.75, false, false}, {0.2, 1.75, false, false}, {1, 1.75, false, true}, {2, 1.25, false, true}, {5, 0.75, false, false},
		{1, 1.75, true, false}, {2, 1.25, true, false}, {5, 0.75, true, false},
	}
	for _, l := range pick(quick, []load{{1, 1.75, false, false}, {2, 1.25, false, false}}, usual) {
		c := plan.Case{
			Factors: []plan.Factor{{Name: "losses", Label: "of single packets"}, rttFactor(rtt), lossFactor(l.loss)},
			Ranks:   2, Hosts: 2, Conditions: network(rtt, l.loss), Calm: true,
			Program: "hol",
			Params:  paced(quick, l.mbits, l.loss < 0.5),
			Timeout: time.Minute,
		}
		if l.bursts {
			c.Factors[0].Label = "in bursts"
			c.Conditions.Loss, c.Conditions.LossBurst = 0, bursts(l.loss)
		}
		if !l.all {
			c.Only = only(withSingle()...)
		}
		e.Cases = append(e.Cases, c)
	}
	return e
}

// headOfLineBBR is headOfLine for congestion controls that do not take each loss for congestion; it would have more variants than a drawing
// can tell apart.
func headOfLineBBR(quick bool) plan.Experiment {
	e := headOfLine(quick)
	e.Name, e.Title = "hol-bbr", "Head-of-line blocking with BBR"
	e.Variants = append(designs(), perPairBBR, engineBBR, engineDraft)
	e.Ratios = e.Ratios[:1] // the other is by a variant that takes no part
	e.Rounds = pick(quick, 1, plan.LeastJobs)
	e.Budget = pick(quick, 5*time.Minute, 150*time.Minute)
	for i := range e.Cases {
		e.Cases[i].Only = only(controls()...)
	}
	return e
}

// bursts loses so many packets of a hundred, three in a row on average.
func bursts(percent float64) netem.GilbertElliott {
	const end = 100.0 / 3
	return netem.GilbertElliott{P: netem.Percent(percent * end / (100 - percent)), R: end, LossBad: 100}
}
