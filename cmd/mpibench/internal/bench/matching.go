package bench

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/suite"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// maxDepth keeps unexpected messages, of 256 bytes each with their overhead, below the
// limit for them: beyond it their sends wait for receives.
const maxDepth = 200_000

// maxUnexpectedSockets is for a transport that keeps messages of different tags in the
// buffers of different sockets: most hosts allow a process somewhat more.
const maxUnexpectedSockets = 10_000

// Matching is the latency beside receives, or messages, that match nothing.
type Matching struct{ depths []int }

func (b *Matching) Flags(fs *pflag.FlagSet) {
	fs.IntSliceVar(&b.depths, "depth", []int{0, 10, 100, 1000, 10_000, 100_000}, "how many `receives` or messages match nothing")
}

func (b *Matching) Check() error { return within("depth", 0, maxDepth, b.depths...) }

func (b *Matching) Plan(o Options) *suite.Plan {
	t := newTable("matching", "transport", "beside", "depth")
	t.Columns = []report.Column{{Figure: "half_rtt_us", Title: "half RTT of 8 B µs", Format: "%.2f"}, coresUsed}
	t.Plot = &report.Plot{
		Title: "Latency beside what does not match", By: []string{"transport", "beside"}, Dim: "depth", XLabel: "depth",
		Figure: "half_rtt_us", YLabel: "half round trip of 8 B (µs)", LogX: true, LogY: true,
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table}, Missing: make(map[string]string)}
	add := func(transport, beside string, depth int, w rank.Work) {
		mode := fmt.Sprintf("beside %d %s", depth, beside)
		if transport == pertrc.Name && w.Unexpected > maxUnexpectedSockets {
			p.Missing[transport+" "+mode] = "each takes a socket at either end, which are not to be had"
			return
		}
		// Jobs of their own: a depth that a transport cannot bear is no reason to lack others.
		p.Jobs = append(p.Jobs, o.job(setup{transport: transport, ranks: 2, mode: mode},
			[]rank.Work{w}, []suite.Slot{t.slot(transport, beside, depth)}))
	}
	for _, transport := range o.Transports {
		for _, depth := range b.depths {
			add(transport, "posted receives", depth, rank.Work{Program: "latency", Size: 8, Posted: depth})
		}
		for _, depth := range b.depths {
			add(transport, "unexpected messages", depth, rank.Work{Program: "latency", Size: 8, Unexpected: depth})
		}
	}
	return p
}
