package bench

import (
	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// maxSize bounds the length of a message in bytes.
const maxSize = 1 << 28

// Latency measures half of the round trip between two ranks, for messages of several lengths.
type Latency struct{ sizes []int }

func (b *Latency) Flags(fs *pflag.FlagSet) {
	fs.IntSliceVar(&b.sizes, "size", []int{0, 8, 64, 512, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20},
		"lengths of the message in `bytes`")
}

func (b *Latency) Check() error { return within("size", 0, maxSize, b.sizes...) }

func (b *Latency) Plan(o Options) *suite.Plan {
	t := newTable("latency", "transport", "bytes")
	t.Columns = []report.Column{{Figure: "half_rtt_us", Title: "half RTT µs", Format: "%.2f"}, callsMade, coresUsed}
	t.Plot = &report.Plot{
		Title: "Half round trip between two ranks", By: []string{"transport"}, Dim: "bytes", XLabel: "message (bytes)",
		Figure: "half_rtt_us", YLabel: "half round trip (µs)", LogX: true, LogY: true,
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table}}
	for _, transport := range o.Transports {
		s := setup{transport: transport, ranks: 2}
		for _, size := range b.sizes {
			s = s.with(rank.Work{Program: "latency", Size: size}, t.slot(transport, size))
		}
		p.Jobs = append(p.Jobs, o.job(s))
	}
	return p
}
