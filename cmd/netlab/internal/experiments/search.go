package experiments

import (
	_ "embed"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// queries are three of those that taskfarm carries (UniProtKB, CC BY 4.0: see cmd/taskfarm/data): few, so that comparing them takes
// less time than the messages.
//
//go:embed queries.fasta
var queries []byte

// search is the search of make run for these queries. A program that finds something else has made a mistake.
var search = plan.App{
	Name: "taskfarm", Args: []string{"search", "--json", "--query", "/dev/stdin", "--block", "250000"},
	Input: queries, Checksum: "70d39d66ef17e072",
}

func searchLoss(quick bool) plan.Experiment {
	e := plan.Experiment{
		Name:     "search-loss",
		Title:    "A search for proteins under loss",
		Question: "How much longer does a real program take when packets are lost?",
		Setup: "The search of make run (taskfarm search): rank 0 hands out comparisons of proteins, by Smith and Waterman, to three workers, each with four " +
			"requests under way, after it has sent them all proteins. Three queries in 1000 proteins, in 600 tasks: half a second of computing for all workers " +
			"together, so that messages are what takes time. The answer is compared with that of one process. Where the case says so, a share of packets is " +
			"5 ms late besides.",
		Variants: append(withSingle(), best()...),
		Metrics:  []plan.Metric{{Name: "time", Title: "time of the search", Unit: "s"}},
		Rounds:   pick(quick, 2, plan.LeastJobs),
		Budget:   pick(quick, 6*time.Minute, time.Hour),
	}
	underLoss(&e, &search, plan.Load{Bytes: 1_500_000, Turns: 200, Time: 3 * time.Second}, quick)
	return e
}

// underLoss has an experiment be of a real program with three workers, whose time is the metric: with a share of packets late, and a share
// lost.
func underLoss(e *plan.Experiment, app *plan.App, load plan.Load, quick bool) {
	e.Ratios = []plan.Ratio{
		{Metric: "time", Factor: "loss", Value: 0, Title: "time, by that without loss"},
		{Metric: "time", Variant: perPair.Name, Title: "time, by tcp-perpair"},
	}
	e.Charts = []plan.Chart{{Metric: "time", X: "loss", Bars: true}}
	const rtt = 20 * time.Millisecond
	for _, reordered := range []float64{0, 25} {
		for _, loss := range pick(quick, []float64{0, 2}, []float64{0, 1, 2}) {
			if reordered > 0 && (quick || loss == 1) {
				continue
			}
			e.Cases = append(e.Cases, plan.Case{
				Factors: []plan.Factor{rttFactor(rtt), {Name: "reordered", Value: reordered, Unit: "%"}, lossFactor(loss)},
				Ranks:   4, Hosts: 4, Conditions: network(rtt, loss), Sent: late(reordered),
				App: app, Params: load, Timeout: 2 * time.Minute,
			})
		}
	}
}
