package experiments

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// farmRanks are a manager and three workers.
const farmRanks = 4

// streamPerTRCNewReno only the farm has.
var streamPerTRCNewReno = with(streamPerTRC, "newreno", rpi.EnvCongestion+"=newreno")

// farmCase is what differs between the cases.
type farmCase struct {
	rtt       time.Duration
	size      int // KiB
	fanout    int
	loss      float64
	manager   string
	computing time.Duration
}

// managers are the ways in which the manager receives.
var managers = map[string]struct {
	receives   farm.Receives
	overtaking bool
}{
	"concrete": {receives: farm.Named}, "AnySource": {receives: farm.AnySource}, "AnyTag": {receives: farm.AnyTag},
	"AnyTag, overtaking": {farm.AnyTag, true},
}

func farmLoss(quick bool) plan.Experiment {
	e := plan.Experiment{
		Name:     "farm-loss",
		Title:    "Manager and workers under loss",
		Question: "How long does a whole program take, whose messages differ in tag and need not wait for each other?",
		Setup: "The farm of the thesis, by package mpi/farm, which programs can import: rank 0 hands out tasks on request to three workers. A worker has ten " +
			"requests under way where tasks have 30 KiB, fewer where they have 300 KiB; the tasks of each have a tag of their own. The manager answers each request as it arrives, by as many tasks as " +
			"the fanout says; the worker asks again when it has done them. There are at least four times as many tasks as all workers can ask for at once, " +
			"three times in quick runs. Computing is waiting on a clock. The manager's receives name worker and tag (concrete), or are wildcards; " +
			"with overtaking the communicator has the hint mpi_assert_allow_overtaking. The kernel's SCTP runs with the library's floor of the retransmission timeout, " +
			"50 ms, and with that of RFC 9260 and of Linux, a second. Waiting is from a request to its first task. Sent again are segments of TCP, or chunks of SCTP, of the manager.",
		Variants: append(append(withSingle(), kernelSlow, streamPerTRCNewReno), best()...),
		Metrics: []plan.Metric{
			{Name: "time", Title: "total time", Unit: "s"},
			{Name: "throughput", Title: "throughput of tasks", Unit: "Mbit/s"},
			{Name: "wait50", Title: "median wait of a request", Unit: "ms"},
			{Name: "wait99", Title: "99th percentile of the wait", Unit: "ms"},
			{Name: "idle", Title: "idle share of the workers", Unit: "%"},
			{Name: "idlest", Title: "idle share of the worker that has most", Unit: "%"},
			{Name: "again", Title: "sent again", Unit: "%"},
			{Name: "cpu", Title: "processor time of the manager", Unit: "s"},
		},
		Ratios: []plan.Ratio{
			{Metric: "time", Variant: perPair.Name, Title: "time, by tcp-perpair"},
			{Metric: "time", Variant: engineSingle.Name, Title: "time, by sctp-engine, streams=1"},
		},
		Charts: []plan.Chart{{Metric: "time", X: "loss", Bars: true}, {Metric: "wait99", X: "loss", Bars: true, LogY: true}},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 8*time.Minute, 5*time.Hour),
	}
	if quick {
		e.Variants = designs()
	}
	for _, c := range farmCases(quick) {
		e.Cases = append(e.Cases, c.plan(quick))
	}
	return e
}

// farmCases are all cases.
func farmCases(quick bool) (all []farmCase) {
	usual := farmCase{rtt: 20 * time.Millisecond, size: 30, fanout: 10, manager: "concrete"}
	for _, size := range pick(quick, []int{30}, []int{30, 300}) {
		for _, fanout := range []int{1, 10} {
			for _, loss := range pick(quick, []float64{0, 2}, []float64{0, 1, 2}) {
				c := usual
				c.size, c.fanout, c.loss = size, fanout, loss
				all = append(all, c)
			}
		}
	}
	if quick {
		return all
	}
	for _, rtt := range []time.Duration{time.Millisecond, 100 * time.Millisecond} {
		c := usual
		c.rtt, c.loss = rtt, 1
		all = append(all, c)
	}
	for _, loss := range []float64{0, 2} {
		for _, manager := range []string{"AnySource", "AnyTag", "AnyTag, overtaking"} {
			c := usual
			c.loss, c.manager = loss, manager
			all = append(all, c)
		}
		for _, computing := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
			c := usual
			c.loss, c.computing = loss, computing
			all = append(all, c)
		}
	}
	return all
}

// slots are the requests that a worker has under way.
func (c farmCase) slots() int {
	switch {
	case c.size < 300:
		return 10
	case c.fanout == 1:
		return 3
	}
	return 1
}

func (c farmCase) plan(quick bool) plan.Case {
	m := managers[c.manager]
	p := ranks.Farm{
		Size: c.size << 10, Slots: c.slots(), Fanout: c.fanout, Result: 64,
		Compute: c.computing, Receives: m.receives, Overtaking: m.overtaking,
	}
	p.Tasks = pick(quick, 3, 4) * p.AtOnce(farmRanks)
	return plan.Case{
		Factors: []plan.Factor{
			{Name: "size", Value: float64(p.Size), Label: fmt.Sprintf("%d KiB, slots %d", c.size, p.Slots)},
			{Name: "fanout", Value: float64(c.fanout)}, rttFactor(c.rtt), lossFactor(c.loss),
			{Name: "manager", Label: c.manager}, {Name: "computing", Value: float64(c.computing) / 1e6, Unit: " ms"},
		},
		Ranks: farmRanks, Hosts: farmRanks, Conditions: network(c.rtt, c.loss),
		Program: "farm", Params: p, Timeout: pick(quick, 40*time.Second, 2*time.Minute),
		Only: c.only(quick),
	}
}

// only are the variants that take part, nil for all: those are in the usual farm without loss and at 2%, where congestion control is
// compared; other managers, and computing, are by the designs as they are.
func (c farmCase) only(quick bool) []string {
	if quick {
		return nil
	}
	take := append(withSingle(), kernelSlow)
	switch {
	case c.rtt != 20*time.Millisecond:
		take = append(designs(), engineSingle)
	case c.manager != "concrete" || c.computing > 0:
		take = designs()
	case c.size == 30 && c.fanout == 10 && c.loss != 1:
		return nil
	}
	return only(take...)
}
