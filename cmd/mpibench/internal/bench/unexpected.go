package bench

import (
	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// Unexpected compares receives that are posted before their messages arrive with receives that are
// posted after.
type Unexpected struct {
	sizes  []int
	window int
}

func (b *Unexpected) Flags(fs *pflag.FlagSet) {
	fs.IntSliceVar(&b.sizes, "size", []int{8, 1 << 10, 16 << 10, 64 << 10, 256 << 10}, "lengths of the message in `bytes`")
	fs.IntVar(&b.window, "window", 64, "how many `messages` wait to be received")
}

func (b *Unexpected) Check() error {
	if err := within("window", 1, maxWindow, b.window); err != nil {
		return err
	}
	return within("size", 0, maxWindowBytes/b.window, b.sizes...)
}

func (b *Unexpected) Plan(o Options) *suite.Plan {
	t := newTable("unexpected", "transport", "receive", "bytes")
	t.Columns = []report.Column{
		{Figure: "receive_us", Title: "in receive calls µs/message", Format: "%.2f"},
		{Figure: "message_us", Title: "altogether µs/message", Format: "%.2f"},
		coresUsed,
	}
	t.Plot = &report.Plot{
		Title: "Expected and unexpected messages", By: []string{"transport", "receive"}, Dim: "bytes", XLabel: "message (bytes)",
		Figure: "message_us", YLabel: "time per message (µs)", LogX: true, LogY: true,
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table}}
	for _, transport := range o.Transports {
		s := setup{transport: transport, ranks: 2}
		for posted, name := range []string{"unexpected", "expected"} {
			for _, size := range b.sizes {
				s = s.with(rank.Work{Program: "backlog", Size: size, Window: b.window, Posted: posted}, t.slot(transport, name, size))
			}
		}
		p.Jobs = append(p.Jobs, o.job(s))
	}
	return p
}
