package bench

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/kernels"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// NAS measures the NAS Parallel Benchmarks, in each progress mode: figure 4.12 of Majumder's thesis.
type NAS struct {
	kernels  []string
	class    string
	ranks    []int
	progress progress
}

func (b *NAS) Flags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&b.kernels, "kernels", kernels.Names(), "`names` of kernels")
	fs.StringVar(&b.class, "class", "S", "size of the problems, a `letter`: S, W, A, B or C")
	fs.IntSliceVar(&b.ranks, "ranks", []int{1, 4}, "`numbers` of ranks. A kernel is left out where it cannot run on so many")
	b.progress.flag(fs, "inline", "event")
}

// maxNASRanks bounds the ranks, each of which is a process, to the most that the benchmarks have been published for over Ethernet.
const maxNASRanks = 256

func (b *NAS) Check() error {
	if len(b.kernels) == 0 {
		return errors.New("--kernels: no name")
	}
	for i, name := range b.kernels {
		if _, err := kernels.Find(name); err != nil {
			return fmt.Errorf("--kernels: %w", err)
		}
		if slices.Contains(b.kernels[:i], name) {
			return fmt.Errorf("--kernels: %s is named twice", name)
		}
	}
	if _, err := kernels.ParseClass(b.class); err != nil {
		return fmt.Errorf("--class: %w", err)
	}
	if err := cmp.Or(b.progress.check(), within("ranks", 1, maxNASRanks, b.ranks...)); err != nil {
		return err
	}
	if len(b.runs()) == 0 {
		return fmt.Errorf("none of the kernels %s runs on any of so many ranks: %v", strings.Join(b.kernels, ", "), b.ranks)
	}
	return nil
}

// nasRun is a kernel on a number of ranks.
type nasRun struct {
	kernel string
	ranks  int
}

// runs are those of each kernel on the numbers of ranks that it can run on.
func (b *NAS) runs() (all []nasRun) {
	for _, name := range b.kernels {
		k, err := kernels.Find(name)
		for _, ranks := range b.ranks {
			if err == nil && k.Ranks(ranks) == nil {
				all = append(all, nasRun{k.Name, ranks})
			}
		}
	}
	return all
}

// named is the name of a run in a class, as in the thesis, such as lu.S.4.
func (r nasRun) named(class string) string {
	return fmt.Sprintf("%s.%s.%d", r.kernel, strings.ToUpper(class), r.ranks)
}

// times are about how long a kernel takes in a class, on a core of its own, and how long it may take at most.
var times = map[string]struct{ about, most time.Duration }{
	"S": {200 * time.Millisecond, 5 * time.Minute},
	"W": {3 * time.Second, 30 * time.Minute},
	"A": {15 * time.Second, 2 * time.Hour},
	"B": {2 * time.Minute, 12 * time.Hour},
	"C": {8 * time.Minute, 48 * time.Hour},
}

const (
	nasTable  = "nas"
	nasMeans  = "nas mean"
	timeS     = "time_s"
	byMode    = "normalised"
	byNetwork = "by_transport"
	speedUp   = "speed_up"
)

func (b *NAS) Plan(o Options) *suite.Plan {
	t := newTable(nasTable, "kernel", "ranks", "progress", "transport", "run")
	t.Columns = []report.Column{
		{Figure: timeS, Title: "time, s", Format: "%.3f"},
		{Figure: "mops", Title: "Mop/s", Format: "%.0f"},
		{Figure: byMode, Title: "time/" + b.progress.first(), Format: "%.3f"},
		{Figure: byNetwork, Title: "time/" + o.Transports[0], Format: "%.3f"},
		{Figure: speedUp, Title: "speed-up", Format: "%.2f"},
		coresUsed,
	}
	t.Plot = &report.Plot{
		Title: "Time of NAS kernels in each progress mode", By: []string{"transport", "progress"}, Dim: "run",
		Figure: byMode, YLabel: "time by that in mode " + b.progress.first(), Bars: true,
		Only: func(at []any) bool { return at[2] != b.progress.first() },
	}
	if !b.progress.several() {
		t.Plot = &report.Plot{
			Title: "Speed-up of NAS kernels", By: []string{"kernel", "transport"}, Dim: "ranks", XLabel: "ranks",
			Figure: speedUp, YLabel: "speed-up over the fewest ranks", LogX: true,
		}
	}
	means := newTable(nasMeans, "progress", "transport")
	means.Columns = []report.Column{
		{Figure: byMode, Title: "mean of time/" + b.progress.first(), Format: "%.3f"},
		{Figure: byNetwork, Title: "mean of time/" + o.Transports[0], Format: "%.3f"},
	}
	p := &suite.Plan{
		Tables: []*report.Table{t.Table, means.Table}, Confidence: true,
		Derive: func(r *report.Report) { b.derive(r, o.Transports[0]) },
	}
	takes := times[strings.ToUpper(b.class)]
	for _, run := range b.runs() {
		for _, m := range b.progress.modes() {
			for _, transport := range o.Transports {
				s := setup{transport: transport, ranks: run.ranks, mode: m.name, env: m.env}.with(
					rank.Work{Program: nasTable, Operation: run.kernel, Class: b.class},
					t.slot(run.kernel, run.ranks, m.name, transport, run.named(b.class)))
				job := o.job(s)
				job.Name = fmt.Sprintf("%s over %s, %s", run.named(b.class), transport, m.name)
				job.Limit, job.Beside = takes.most, takes.about
				p.Jobs = append(p.Jobs, job)
			}
		}
	}
	return p
}

// derive divides times: by those in the first progress mode, by those over the first transport, and those on the fewest
// ranks that a kernel was measured on by those on more. Then it takes the geometric mean of all runs on several ranks.
func (b *NAS) derive(r *report.Report, transport string) {
	r.DurationNS = 0 // kernels take as long as they take
	t := r.Table(nasTable)
	fewest := make(map[any]int)
	for _, run := range b.runs() {
		if n, ok := fewest[run.kernel]; !ok || run.ranks < n {
			fewest[run.kernel] = run.ranks
		}
	}
	logs := make(map[[2]any]map[string][]float64)
	for _, p := range t.Points {
		kernel, ranks, progress, over := p.At[0], p.At[1], p.At[2], p.At[3]
		if _, measured := p.Figures[timeS]; !measured {
			continue
		}
		at := [2]any{progress, over}
		if logs[at] == nil {
			logs[at] = make(map[string][]float64)
		}
		for figure, base := range map[string]*report.Point{
			byMode:    t.Point(kernel, ranks, b.progress.first(), over, p.At[4]),
			byNetwork: t.Point(kernel, ranks, progress, transport, p.At[4]),
		} {
			if ratio, ok := p.By(timeS, base); ok {
				p.Figures[figure] = ratio
				if ranks != 1 { // which has no messages
					logs[at][figure] = append(logs[at][figure], math.Log(ratio.Median))
				}
			}
		}
		few := nasRun{kernel.(string), fewest[kernel]}
		if ratio, ok := t.Point(kernel, few.ranks, progress, over, few.named(b.class)).By(timeS, p); ok {
			p.Figures[speedUp] = ratio
		}
	}
	means := r.Table(nasMeans)
	for at, figures := range logs {
		p := &report.Point{At: at[:], Figures: make(map[string]measure.Figure)}
		for figure, values := range figures {
			sum := 0.
			for _, v := range values {
				sum += v
			}
			p.Figures[figure] = measure.Range(math.Exp(sum / float64(len(values))))
		}
		means.Points = append(means.Points, p)
	}
	place := func(p *report.Point) int { // as the runs are in order
		return slices.IndexFunc(t.Points, func(run *report.Point) bool { return run.At[2] == p.At[0] && run.At[3] == p.At[1] })
	}
	slices.SortFunc(means.Points, func(a, b *report.Point) int { return place(a) - place(b) })
}
