package bench

import (
	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// LogGP measures the parameters of the LogGP model in the way of Bell et al. ("An Evaluation of
// Current High-Performance Networks", 2003): the end-to-end latency with a ping-pong, the gaps with
// floods of several depths, the overheads with the CPU-overlap test.
type LogGP struct {
	short, long int
	depths      []int
}

func (b *LogGP) Flags(fs *pflag.FlagSet) {
	fs.IntVar(&b.short, "short", 8, "length in `bytes` of the messages for latency, gap and overheads")
	fs.IntVar(&b.long, "long", 256<<10, "length in `bytes` of the messages for the gap per byte")
	fs.IntSliceVar(&b.depths, "depth", []int{1, 2, 4, 8, 16, 32, 64}, "how many `messages` of a flood are in flight")
}

func (b *LogGP) Check() error {
	if err := within("short", 1, 64<<10, b.short); err != nil {
		return err
	}
	if err := within("depth", 1, maxWindow, b.depths...); err != nil {
		return err
	}
	for _, depth := range b.depths {
		if err := within("long", b.short+1, maxWindowBytes/depth, b.long); err != nil {
			return err
		}
	}
	return nil
}

const (
	loggpTable = "loggp"
	gapTable   = "gaps"
)

func (b *LogGP) Plan(o Options) *suite.Plan {
	t := newTable(loggpTable, "transport")
	t.Columns = []report.Column{
		{Figure: "half_rtt_us", Title: "EEL µs", Format: "%.2f"},
		{Figure: "send_us", Title: "o_s µs", Format: "%.2f"},
		{Figure: "receive_us", Title: "o_r µs", Format: "%.2f"},
		{Figure: "latency_us", Title: "L µs", Format: "%.2f"},
		{Figure: "gap_us", Title: "g µs", Format: "%.2f"},
		{Figure: "gap_ns_byte", Title: "G ns/byte", Format: "%.3f"},
		{Figure: "large_bytes", Title: "large, bytes", Format: "%.0f"},
	}
	gaps := newTable(gapTable, "transport", "depth")
	gaps.Columns = []report.Column{
		{Figure: "gap_us", Title: "gap, short µs", Format: "%.2f"},
		{Figure: "gap_ns_byte", Title: "gap, long ns/byte", Format: "%.3f"},
	}
	gaps.Plot = &report.Plot{
		Title: "Gap between short messages", By: []string{"transport"}, Dim: "depth", XLabel: "messages in flight",
		Figure: "gap_us", YLabel: "gap (µs)", LogX: true, LogY: true,
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table, gaps.Table}, Derive: b.derive}
	for _, transport := range o.Transports {
		point := t.slot(transport).Point
		s := setup{transport: transport, ranks: 2}
		only := func(point *report.Point, figure, name string) suite.Slot {
			return suite.Slot{Point: point, Names: map[string]string{figure: name}}
		}
		s = s.with(rank.Work{Program: "latency", Size: b.short}, only(point, "half_rtt_us", "half_rtt_us"))
		s = s.with(rank.Work{Program: "send", Size: b.short}, only(point, "overhead_us", "send_us"))
		s = s.with(rank.Work{Program: "receive", Size: b.short}, only(point, "overhead_us", "receive_us"))
		for _, depth := range b.depths {
			point := gaps.slot(transport, depth).Point
			s = s.with(rank.Work{Program: "flood", Size: b.short, Window: depth}, only(point, "gap_us", "gap_us"))
			s = s.with(rank.Work{Program: "flood", Size: b.long, Window: depth}, only(point, "gap_us", "gap_long_us"))
		}
		p.Jobs = append(p.Jobs, o.job(s))
	}
	return p
}

// derive adds g and G, which are the least gaps; L, which is the latency minus the overheads; and
// g/G, the length from which the bytes of a message cost more time than the message as such.
func (b *LogGP) derive(r *report.Report) {
	for _, p := range r.Table(gapTable).Points {
		if f, ok := p.Figures["gap_long_us"]; ok {
			p.Figures["gap_ns_byte"] = f.Times(1e3 / float64(b.long))
		}
	}
	for _, p := range r.Table(loggpTable).Points {
		for _, figure := range []string{"gap_us", "gap_ns_byte"} {
			if least, ok := least(r.Table(gapTable), figure, p.At[0]); ok {
				p.Figures[figure] = least
			}
		}
		latency, ok1 := p.Median("half_rtt_us")
		send, ok2 := p.Median("send_us")
		receive, ok3 := p.Median("receive_us")
		if ok1 && ok2 && ok3 {
			p.Figures["latency_us"] = measure.Range(latency - send - receive)
		}
		g, ok1 := p.Median("gap_us")
		perByte, ok2 := p.Median("gap_ns_byte")
		if ok1 && ok2 && perByte > 0 {
			p.Figures["large_bytes"] = measure.Range(g * 1e3 / perByte)
		}
	}
}

// least returns the figure with the least median among all points whose first value is the same.
func least(t *report.Table, figure string, first any) (measure.Figure, bool) {
	var best measure.Figure
	found := false
	for _, p := range t.Points {
		f, ok := p.Figures[figure]
		if ok && p.At[0] == first && (!found || f.Median < best.Median) {
			best, found = f, true
		}
	}
	return best, found
}
