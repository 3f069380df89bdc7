package bench

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	sctppertrc "github.com/sctpmpi/sctpmpi/sctprpi/pertrc"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// maxDepth keeps unexpected messages below the limit of their memory, from which sends wait for
// receives. Each takes 256 bytes with its overhead.
const maxDepth = 200_000

// unexpectedLimits bound the unexpected messages of transports that need something of each tag: each
// message has a tag of its own. Most hosts allow a process slightly more sockets than that, and an
// SCTP association has 65,535 streams at most.
var unexpectedLimits = map[string]struct {
	most int
	why  string
}{
	pertrc.Name:     {10_000, "each needs sockets at both ends, more than a process may have"},
	sctppertrc.Name: {65_000, "each needs a stream, more than an association has"},
}

// beyond reports whether a transport cannot have unread messages with so many tags, and notes in the plan why they are
// not measured.
func beyond(p *suite.Plan, transport, mode string, tags int) bool {
	limit, ok := unexpectedLimits[transport]
	if !ok || tags <= limit.most {
		return false
	}
	p.Missing[transport+" "+mode] = limit.why
	return true
}

// Matching measures the latency while there are receives or messages that match nothing.
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
		if beyond(p, transport, mode, w.Unexpected) {
			return
		}
		// A job for each, so that a depth at which a transport fails does not cost the others.
		p.Jobs = append(p.Jobs, o.job(setup{transport: transport, ranks: 2, mode: mode}.with(w, t.slot(transport, beside, depth))))
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
