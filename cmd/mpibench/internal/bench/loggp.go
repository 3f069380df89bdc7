package bench

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/loggp"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
)

// LogGP measures the parameters of the LogGP model by the definitions of Bell and others, "An Evaluation of Current
// High-Performance Networks" (2003): of MPI over each transport, and of what is below it. See package loggp.
type LogGP struct {
	operations, links      []string
	depths, sizes, targets []int
}

// shortest is the length in bytes of the messages for EEL, g, o_s and o_r.
const shortest = 8

func (b *LogGP) Flags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&b.operations, "operation", []string{rank.Send, rank.Put, rank.Get}, "`names` of what a flood consists of: send, put, get")
	fs.StringSliceVar(&b.links, "link", linksHere(), "also measure these `names` without MPI: engine, udp, tcp; an empty one leaves all out")
	fs.IntSliceVar(&b.depths, "depth", []int{1, 2, 4, 8, 16, 32, 64}, "how many `messages` of a flood are under way")
	fs.IntSliceVar(&b.sizes, "size", []int{32, 128, 512, 2 << 10, 8 << 10, 32 << 10, 128 << 10}, "lengths of messages in `bytes`, beside 8")
	fs.IntSliceVar(&b.targets, "targets", []int{1}, "`numbers` of ranks that a flood goes to in turn")
}

// linksHere are the links that this host can run.
func linksHere() []string {
	return slices.DeleteFunc(rank.Links(), func(name string) bool { return name == "udp" && runtime.GOOS != "linux" })
}

func (b *LogGP) Check() error {
	for _, operation := range b.operations {
		if !slices.Contains([]string{rank.Send, rank.Put, rank.Get}, operation) {
			return fmt.Errorf("--operation %q: it is none of send, put, get", operation)
		}
	}
	b.links = slices.DeleteFunc(b.links, func(name string) bool { return name == "" })
	for _, link := range b.links {
		if !slices.Contains(linksHere(), link) {
			return fmt.Errorf("--link %q: it is none of %q, which this host can run", link, linksHere())
		}
	}
	if err := cmp.Or(within("depth", 1, maxWindow, b.depths...), within("targets", 1, 64, b.targets...)); err != nil {
		return err
	}
	return within("size", shortest+1, maxWindowBytes/slices.Max(b.depths), b.sizes...)
}

// single are messages that leave each at once.
const single = "single"

// departures are how messages leave: in event mode none waits for others.
var departures = []mode{
	{"coalesced", []string{rpi.EnvProgress + "=hybrid"}},
	{single, []string{rpi.EnvProgress + "=event"}},
}

const (
	loggpTable    = "loggp"
	gapTable      = "gaps"
	overheadTable = "overheads"
)

func (b *LogGP) Plan(o Options) *suite.Plan {
	dims := []string{"transport", "operation", "targets", "messages"}
	t := newTable(loggpTable, dims...)
	t.Columns = []report.Column{
		{Figure: "eel_us", Title: "EEL µs", Format: "%.2f"},
		{Figure: "send_us", Title: "o_s µs", Format: "%.2f"},
		{Figure: "receive_us", Title: "o_r µs", Format: "%.2f"},
		{Figure: "gap_one_us", Title: "g, one under way µs", Format: "%.2f"},
		{Figure: "gap_us", Title: "g µs", Format: "%.2f"},
		{Figure: "gap_ns_byte", Title: "G ns/byte", Format: "%.3f"},
		{Figure: "large_bytes", Title: "large, bytes", Format: "%.0f"},
	}
	drawn := func(at []any) bool { return at[1] == b.operations[0] && at[2] == b.targets[0] }
	t.Plot = &report.Plot{
		Title: "From which length on a message is large", By: []string{"messages"}, Dim: "transport",
		Figure: "large_bytes", YLabel: "g/G (bytes)", Bars: true, Only: drawn,
	}
	gaps := newTable(gapTable, append(slices.Clone(dims), "depth", "bytes")...)
	gaps.Columns = []report.Column{
		{Figure: "gap_us", Title: "gap µs", Format: "%.2f"},
		{Figure: "gap_ns_byte", Title: "G ns/byte", Format: "%.3f"},
	}
	gaps.Plot = &report.Plot{
		Title: "Gap between messages of 8 bytes", By: []string{"transport", "messages"}, Dim: "depth", XLabel: "messages under way",
		Figure: "gap_us", YLabel: "gap (µs)", LogX: true, LogY: true,
		Only: func(at []any) bool { return drawn(at) && at[5] == shortest },
	}
	overheads := newTable(overheadTable, gaps.Dims...)
	overheads.Columns = []report.Column{
		{Figure: "send_us", Title: "o_s µs", Format: "%.2f"},
		{Figure: "receive_us", Title: "o_r µs", Format: "%.2f"},
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table, gaps.Table, overheads.Table}, Derive: b.derive}
	for _, m := range departures {
		for _, transport := range o.Transports {
			for _, operation := range b.operations {
				for _, targets := range b.targets {
					s := setup{transport: transport, ranks: 1 + targets, mode: m.name + " " + operation, env: m.env}
					p.Jobs = append(p.Jobs, o.job(b.floods(s, gaps, rank.Work{Operation: operation}, transport, operation, targets, m.name)))
				}
			}
		}
		for _, link := range b.links {
			s := setup{transport: perpair.Name, ranks: 2, mode: m.name + " beside " + link}
			work := rank.Work{Link: link, Single: m.name == single}
			p.Jobs = append(p.Jobs, o.job(b.floods(s, gaps, work, link+" alone", rank.Send, 1, m.name)))
		}
	}
	return p
}

// floods adds what is measured at one place: each depth with the shortest messages, each length with one message under way,
// and with as many as there may be. To several targets go only the floods without overheads.
func (b *LogGP) floods(s setup, gaps table, w rank.Work, at ...any) setup {
	point := func(depth, size int) suite.Slot { return gaps.slot(append(slices.Clone(at), depth, size)...) }
	deepest, one := slices.Max(b.depths), s.ranks == 2
	for i, depth := range b.depths {
		slot := point(depth, shortest)
		if i == 0 && w.Operation != rank.Put && w.Operation != rank.Get && one {
			eel := w
			eel.Program, eel.Size = "eel", shortest
			s = s.with(eel, suite.Slot{Point: slot.Point, Names: map[string]string{"eel_us": "eel_us"}})
		}
		w.Program, w.Size, w.Window, w.Overheads = "gap", shortest, depth, one
		s = s.with(w, slot)
	}
	for _, size := range b.sizes {
		w.Size, w.Window, w.Overheads = size, 1, true
		if one {
			s = s.with(w, point(1, size))
		}
		w.Window, w.Overheads = deepest, false
		if deepest > 1 || !one {
			s = s.with(w, point(deepest, size))
		}
	}
	return s
}

// derive adds G to each length, and makes the tables of parameters and of overheads.
func (b *LogGP) derive(r *report.Report) {
	gaps, t, overheads := r.Table(gapTable), r.Table(loggpTable), r.Table(overheadTable)
	for _, p := range gaps.Points {
		at, depth, size := p.At[:4], p.At[4].(int), p.At[5].(int)
		gap, ok1 := gapOf(gaps, at, depth, shortest).Median("gap_us")
		long, ok2 := p.Median("gap_us")
		if ok1 && ok2 && size > shortest {
			p.Figures["gap_ns_byte"] = measure.Range(1e3 * loggp.PerByte(gap, long, size))
		}
		if t.Point(at...) == nil {
			t.Points = append(t.Points, b.parameters(gaps, at))
		}
		if _, ok := p.Figures["send_us"]; ok {
			o := &report.Point{At: p.At, Figures: make(map[string]measure.Figure)}
			for _, figure := range []string{"send_us", "receive_us"} {
				o.Figures[figure] = p.Figures[figure]
				delete(p.Figures, figure)
			}
			overheads.Points = append(overheads.Points, o)
		}
	}
}

// parameters are those of one place.
func (b *LogGP) parameters(gaps *report.Table, at []any) *report.Point {
	p := &report.Point{At: at, Figures: make(map[string]measure.Figure)}
	take := func(depth, size int, figure, as string) {
		if from := gapOf(gaps, at, depth, size); from != nil {
			if f, ok := from.Figures[figure]; ok {
				p.Figures[as] = f
			}
		}
	}
	take(b.depths[0], shortest, "eel_us", "eel_us")
	take(1, shortest, "gap_us", "gap_one_us")
	take(1, shortest, "send_us", "send_us")
	take(1, shortest, "receive_us", "receive_us")
	for _, depth := range b.depths {
		gap, ok := gapOf(gaps, at, depth, shortest).Median("gap_us")
		if least, some := p.Median("gap_us"); ok && (!some || gap < least) {
			take(depth, shortest, "gap_us", "gap_us")
		}
	}
	deepest, longest := slices.Max(b.depths), slices.Max(b.sizes)
	short, ok1 := gapOf(gaps, at, deepest, shortest).Median("gap_us")
	long, ok2 := gapOf(gaps, at, deepest, longest).Median("gap_us")
	if g, ok3 := p.Median("gap_us"); ok1 && ok2 && ok3 && long > short {
		perByte := 1e3 * loggp.PerByte(short, long, longest)
		p.Figures["gap_ns_byte"], p.Figures["large_bytes"] = measure.Range(perByte), measure.Range(g*1e3/perByte)
	}
	return p
}

// gapOf is the point of a flood at a place, nil if there is none.
func gapOf(gaps *report.Table, at []any, depth, size int) *report.Point {
	return gaps.Point(append(slices.Clone(at), depth, size)...)
}
