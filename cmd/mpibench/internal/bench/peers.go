package bench

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/peers"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/suite"
	"github.com/sctpmpi/sctpmpi/sctprpi"
)

// Peers compares this library with other implementations of MPI.
type Peers struct {
	idle int
	// What Find has found.
	found   []peers.Peer
	missing map[string]string
}

func (b *Peers) Flags(fs *pflag.FlagSet) {
	fs.IntVar(&b.idle, "idle", 1000, "measure the latency beside so many idle `associations` too; 0 leaves it out")
}

func (b *Peers) Check() error { return within("idle", 0, 10_000, b.idle) }

// Find builds the peers' programs in a folder, which must stay until all is measured.
func (b *Peers) Find(ctx context.Context, folder string) (err error) {
	b.found, b.missing, err = peers.Find(ctx, folder)
	return err
}

// Names of tables.
const (
	peersTable = "peers"
	idleTable  = "idle"
	ratioTable = "ratio"
)

func (b *Peers) Plan(o Options) *suite.Plan {
	t := newTable(peersTable, "figure", "unit", "implementation", "over")
	t.Across = []string{"implementation", "over"}
	t.Columns = []report.Column{
		{Figure: "value", Title: "figures, of which less is better for a time, more for a rate", Format: "%.2f"},
		{Figure: "ratio", Title: "figures divided by those of the best peer over TCP", Format: "%.3f"},
		coresUsed,
	}
	t.Plot = &report.Plot{
		Title: "Figures divided by the best TCP peer's", By: []string{"implementation"}, Dim: "figure",
		Figure: "ratio", YLabel: "ratio", Bars: true,
		Only: func(at []any) bool { return at[3] == ours },
	}
	contenders := append(ourselves(o), others(o, b.found)...)
	for _, c := range comparisons {
		for _, who := range contenders {
			t.slot(c.at(who)...)
		}
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table}, Derive: b.derive, Missing: b.missing}
	for _, who := range contenders {
		for _, ranks := range comparedRanks {
			p.Jobs = append(p.Jobs, who.compare(t, ranks))
		}
	}
	b.planIdle(o, p)
	return p
}

// idleSpin is for both jobs of which the latency is compared: the larger one has more ranks
// than the host has cores, so that it would not spin at all if it were not told to.
const idleSpin = "SCTPMPI_SPIN=50us"

// planIdle adds the jobs that show what idle associations cost: with a rank for each, and
// with none. All ranks are in one process, as a host has no room for so many.
func (b *Peers) planIdle(o Options, p *suite.Plan) {
	if b.idle == 0 {
		return
	}
	t := newTable(idleTable, "implementation", "idle associations")
	t.Columns = []report.Column{{Figure: "half_rtt_us", Title: "half RTT µs", Format: "%.2f"}, coresUsed}
	for _, idle := range []int{0, b.idle} {
		p.Jobs = append(p.Jobs, o.job(
			setup{transport: sctprpi.Name, mode: "in one process", local: true, idle: idle, env: []string{idleSpin}},
			[]rank.Work{{Program: "latency", Size: 8}},
			[]suite.Slot{t.slot(sctprpi.Name, idle)}))
	}
	p.Tables = append(p.Tables, t.Table)
}
