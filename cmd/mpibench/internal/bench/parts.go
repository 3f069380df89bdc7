package bench

import (
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
)

// The parts of a rank's time, as figures 3 and 4 of Wong and others have them. What these call waiting is all that has to do with spinning.
const (
	computing    = "computing" // the processor time of the job alone when it only blocks, which others on the host hardly change
	computingOut = "computing, switched out"
	spinning     = "spinning" // all other processor time: waiting by looking, and what caches cost that others have filled
	spinningOut  = "spinning, switched out"
	blocking     = "blocked" // until a message came, and then a processor
)

// partsTable is the table of the parts. It gets its points when all has been measured. A chart shows the mix with most copies, and one
// that with most sequential programs.
func (b *Multiprogram) partsTable(o Options) table {
	t := newTable(partsTable, "transport", "job", "work", "waiting", "on the cores", "part")
	t.Across = []string{"part"}
	t.Columns = []report.Column{
		{Figure: "share", Title: "share of a rank's time", Format: "%.2f"},
		{Figure: "seconds", Title: "seconds of a rank", Format: "%.3f"},
	}
	most := []mix{{copies: slices.Max(append([]int{1}, b.copies...))}, {copies: 1, sequential: slices.Max(append([]int{0}, b.sequential...))}}
	for _, transport := range o.Transports {
		for _, c := range slices.Compact(most) {
			t.Others = append(t.Others, &report.Plot{
				Name: fmt.Sprintf("parts-%s-%d-%d", transport, c.copies, c.sequential), Title: fmt.Sprintf("Where the time goes: %v, %s", c, transport),
				By: []string{"part"}, Dim: "job", Figure: "share", YLabel: "share of a rank's time", Bars: true, Stacked: true,
				Only: func(at []any) bool { return at[0] == transport && at[4] == c.String() },
			})
		}
	}
	return t
}

// derive compares each mix with one copy alone, takes its time apart, and compares ways to wait.
func (b *Multiprogram) derive(r *report.Report) {
	t, parts := r.Table(mixTable), table{r.Table(partsTable)}
	for _, c := range b.mixes() {
		for _, p := range t.Points {
			base := t.Point(p.At[0], p.At[1], p.At[2], alone.String())
			slowdown, ok := p.By("slowest_s", base)
			if p.At[3] != c.String() || !ok {
				continue
			}
			p.Figures["slowdown"], p.Figures["slowdown_fair"] = slowdown, slowdown.Times(1/c.fair(b.ranks))
			b.addParts(parts, p, t.Point(p.At[0], p.At[1], blockOnly, alone.String()))
		}
	}
	compareWaiting(r.Table(waitingTable))
}

// addParts takes the time of a mix apart, by that of the same job alone that only blocks, unless the system does not tell processor time.
func (b *Multiprogram) addParts(t table, p, blocks *report.Point) {
	ranks := float64(b.ranks)
	useful, _ := blocks.Median("cpu_s")
	if useful == 0 {
		return
	}
	useful /= ranks
	seconds, shares := make(map[string][]float64), make(map[string][]float64)
	for i, wall := range p.Samples["wall_s"] {
		each := func(figure string) float64 { return p.Samples[figure][i] / ranks }
		cpu, blocked := each("cpu_s"), each("blocked_s")
		spins, out := max(0, cpu-useful), max(0, wall-cpu-blocked)
		spinsOut := min(out, max(0, each("waited_s")-blocked-spins))
		parts := map[string]float64{
			computing: min(useful, cpu), computingOut: out - spinsOut, spinning: spins, spinningOut: spinsOut, blocking: blocked,
		}
		all := 0.0
		for _, part := range parts {
			all += part
		}
		for name, part := range parts {
			seconds[name], shares[name] = append(seconds[name], part), append(shares[name], part/all)
		}
	}
	for _, name := range []string{computing, computingOut, spinning, spinningOut, blocking} {
		t.slot(p.At[0], fmt.Sprintf("%v %v", p.At[1], p.At[2]), p.At[1], p.At[2], p.At[3], name).Point.Figures = map[string]measure.Figure{
			"seconds": measure.Interval(seconds[name]), "share": measure.Interval(shares[name]),
		}
	}
}

// compareWaiting says what each way to wait costs, where there are no other programs.
func compareWaiting(t *report.Table) {
	for _, p := range t.Points {
		first := t.Point(p.At[0], waitingModes[0].name)
		ratio, ok := p.By("half_rtt_us", first)
		if p == first || !ok {
			continue
		}
		p.Figures["more_us"] = measure.Range(p.Figures["half_rtt_us"].Median - first.Figures["half_rtt_us"].Median)
		p.Figures[changeOf("half_rtt_us")] = ratio.Percent()
	}
}
