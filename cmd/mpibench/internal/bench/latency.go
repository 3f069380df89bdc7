package bench

import (
	"cmp"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// maxSize bounds the length of a message in bytes.
const maxSize = 1 << 28

// Latency measures half of the round trip between two ranks, for messages of several lengths.
type Latency struct {
	sizes    []int
	progress progress
}

func (b *Latency) Flags(fs *pflag.FlagSet) {
	fs.IntSliceVar(&b.sizes, "size", []int{0, 8, 64, 512, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20},
		"lengths of the message in `bytes`")
	b.progress.flag(fs)
}

func (b *Latency) Check() error {
	return cmp.Or(b.progress.check(), within("size", 0, maxSize, b.sizes...))
}

func (b *Latency) Plan(o Options) *suite.Plan {
	t := newTable("latency", "transport", "progress", "bytes")
	t.Columns = []report.Column{
		{Figure: "half_rtt_us", Title: "half RTT µs", Format: "%.2f"}, b.progress.change("half_rtt_us", "half RTT"), callsMade, coresUsed,
	}
	t.Plot = &report.Plot{
		Title: "Half round trip between two ranks", By: []string{"transport", "progress"}, Dim: "bytes", XLabel: "message (bytes)",
		Figure: "half_rtt_us", YLabel: "half round trip (µs)", LogX: true, LogY: true,
	}
	p := b.progress.plan(t, "half_rtt_us")
	for _, transport := range o.Transports {
		for _, m := range b.progress.modes() {
			s := setup{transport: transport, ranks: 2, mode: m.chosen(), env: m.env}
			for _, size := range b.sizes {
				s = s.with(rank.Work{Program: "latency", Size: size}, t.slot(transport, m.name, size))
			}
			p.Jobs = append(p.Jobs, o.job(s))
		}
	}
	return p
}
