package bench

import (
	"cmp"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// Unexpected compares receives that are posted before their messages arrive with receives that are
// posted after.
type Unexpected struct {
	sizes    []int
	window   int
	progress progress
}

func (b *Unexpected) Flags(fs *pflag.FlagSet) {
	fs.IntSliceVar(&b.sizes, "size", []int{8, 1 << 10, 16 << 10, 64 << 10, 256 << 10}, "lengths of the message in `bytes`")
	fs.IntVar(&b.window, "window", 64, "how many `messages` wait to be received")
	b.progress.flag(fs)
}

func (b *Unexpected) Check() error {
	if err := cmp.Or(b.progress.check(), within("window", 1, maxWindow, b.window)); err != nil {
		return err
	}
	return within("size", 0, maxWindowBytes/b.window, b.sizes...)
}

func (b *Unexpected) Plan(o Options) *suite.Plan {
	t := newTable("unexpected", "transport", "progress", "receive", "bytes")
	t.Columns = append([]report.Column{
		{Figure: "receive_us", Title: "in receive calls µs/message", Format: "%.2f"},
		{Figure: "message_us", Title: "altogether µs/message", Format: "%.2f"},
		{Figure: "gbit_s", Title: "Gbit/s", Format: "%.2f"}, b.progress.change("gbit_s", "Gbit/s"),
		coresUsed,
	}, coresOfEnds...)
	t.Plot = &report.Plot{
		Title: "Expected and unexpected messages", By: []string{"transport", "progress", "receive"}, Dim: "bytes", XLabel: "message (bytes)",
		Figure: "message_us", YLabel: "time per message (µs)", LogX: true, LogY: true,
	}
	if b.progress.several() {
		t.Plot, t.Others = nil, b.drawReceives(*t.Plot)
	}
	p := b.progress.plan(t, "gbit_s")
	for _, transport := range o.Transports {
		for _, m := range b.progress.modes() {
			s := setup{transport: transport, ranks: 2, mode: m.chosen(), env: m.env}
			for posted, name := range receives {
				for _, size := range b.sizes {
					s = s.with(rank.Work{Program: "backlog", Size: size, Window: b.window, Posted: posted}, t.slot(transport, m.name, name, size))
				}
			}
			p.Jobs = append(p.Jobs, o.job(s))
		}
	}
	return p
}

// receives are posted after their messages, or before.
var receives = []string{"unexpected", "expected"}

// drawReceives makes charts of the bandwidth of each kind of receives, and of the processor time of both ends: figures 4.5 to 4.8 of
// Majumder's thesis.
func (b *Unexpected) drawReceives(of report.Plot) (all []*report.Plot) {
	for _, name := range receives {
		p := of
		p.Name, p.Title, p.Figure, p.YLabel, p.LogY = name, "Bandwidth of "+name+" messages", "gbit_s", "bandwidth (Gbit/s)", false
		p.Only = func(at []any) bool { return at[2] == name }
		ends := drawEnds(p)
		for _, end := range ends {
			end.Name, end.Title = name+"-"+end.Name, end.Title+", "+name+" messages"
		}
		all = append(append(all, &p), ends...)
	}
	return all
}
