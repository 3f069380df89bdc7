package bench

import (
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/sctprpi"
)

// derive adds the ratios to the best peer over the same medium to the report: those of all contenders,
// and those of our own transports in a separate table for each medium.
func (b *Peers) derive(r *report.Report) {
	t := r.Table(peersTable)
	overNetwork := newRatios(ratioTable, "ours/best TCP peer")
	overNetwork.compare(t, network)
	overNetwork.withOwn(t)
	overNetwork.withIdle(r.Table(idleTable), b.idle)
	r.Tables = append(r.Tables, overNetwork.Table)
	r.Ratio = overNetwork.of(sctprpi.Name)

	overShared := newRatios(sharedRatioTable, "ours/best peer, both over shared memory")
	overShared.compare(t, shared)
	if len(overShared.Points) > 0 {
		r.Tables = append(r.Tables, overShared.Table)
		r.RatioShared = overShared.of(sctprpi.Name)
	}
}

// bestPeer returns the best median of a figure among the peers over a medium.
func bestPeer(t *report.Table, c comparison, m medium) (best float64, found bool) {
	for _, p := range t.Points {
		value, measured := p.Median("value")
		if p.At[0] != c.key || p.At[3] != string(m.peers) || !measured {
			continue
		}
		if !found {
			best = value
		}
		best, found = c.best(best, value), true
	}
	return best, found
}

// ratios is the table of ratios. It has a row for each figure and a column for each transport.
type ratios struct{ table }

func newRatios(name, title string) ratios { return ratios{newTable(name, title, "goal")} }

// compare divides what was measured over a medium by the best peer's figure. Our own ratios go to the
// table too.
func (t ratios) compare(measured *report.Table, over medium) {
	for _, c := range slices.Concat(comparisons, collectiveComparisons, oneSidedComparisons) {
		best, found := bestPeer(measured, c, over)
		if !found {
			continue
		}
		for _, p := range measured.Points {
			value, has := p.Median("value")
			if !has || p.At[0] != c.key || p.At[3] != over.ours && p.At[3] != string(over.peers) {
				continue
			}
			p.Figures["ratio"] = p.Figures["value"].Times(1 / best)
			if p.At[3] == over.ours {
				t.add(c.key, c.goal(over), p.At[2].(string), value/best)
			}
		}
	}
}

func (t ratios) add(key, goal, transport string, ratio float64) {
	p := t.Point(key, goal)
	if p == nil {
		p = t.slot(key, goal).Point
		p.Figures = make(map[string]measure.Figure)
	}
	p.Figures[transport] = measure.Range(ratio)
	column := report.Column{Figure: transport, Title: transport, Format: "%.3f"}
	for _, c := range t.Columns {
		if c == column {
			return
		}
	}
	t.Columns = append(t.Columns, column)
}

// withOwn adds, for each transport, the latency with posted receives divided by that without.
func (t ratios) withOwn(measured *report.Table) {
	for _, p := range measured.Points {
		if p.At[0] != posted10k || p.At[3] != network.ours {
			continue
		}
		with, ok1 := p.Median("value")
		without, ok2 := measured.Point(halfRTT, p.At[1], p.At[2], p.At[3]).Median("value")
		if ok1 && ok2 {
			t.add(posted10k+"_vs_own", "≤ 1.15", p.At[2].(string), with/without)
		}
	}
}

// withIdle adds the latency with idle associations divided by that without.
func (t ratios) withIdle(measured *report.Table, idle int) {
	if measured == nil {
		return
	}
	with, ok1 := measured.Point(sctprpi.Name, idle).Median("half_rtt_us")
	without, ok2 := measured.Point(sctprpi.Name, 0).Median("half_rtt_us")
	if ok1 && ok2 {
		t.add(fmt.Sprintf("%s_idle_%d", halfRTT, idle), "≤ 1.1", sctprpi.Name, with/without)
	}
}

// of returns the ratios of one transport by their keys.
func (t ratios) of(transport string) map[string]float64 {
	all := make(map[string]float64)
	for _, p := range t.Points {
		if ratio, ok := p.Median(transport); ok {
			all[p.At[0].(string)] = ratio
		}
	}
	return all
}
