package bench

import (
	"context"
	"maps"
	"slices"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/othermpi"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/sctprpi"
)

// Peers compares this library with its peers: other implementations of MPI.
type Peers struct {
	idle        int
	collectives bool
	oneSided    bool
	// The results of Find.
	found   []othermpi.Library
	missing map[string]string
}

// OneSided is Peers of one-sided operations.
func OneSided() *Peers { return &Peers{oneSided: true} }

func (b *Peers) Flags(fs *pflag.FlagSet) {
	if b.oneSided {
		return
	}
	fs.IntVar(&b.idle, "idle", 1000, "also measure the latency with this number of idle `associations`; 0 leaves it out")
	fs.BoolVar(&b.collectives, "collectives", false, "compare bcast, allreduce and alltoall on 4 and 8 ranks, and nothing else")
}

func (b *Peers) Check() error { return within("idle", 0, 10_000, b.idle) }

// Find builds the programs of the peers in a folder, which must exist until the benchmark ends.
func (b *Peers) Find(ctx context.Context, folder string) (err error) {
	b.found, b.missing, err = othermpi.Find(ctx, folder)
	if len(b.found) == 1 {
		for name := range b.missing {
			b.missing[name] += "; the ratios compare with " + b.found[0].Name + " alone"
		}
	}
	return err
}

// Names of tables.
const (
	peersTable       = "peers"
	idleTable        = "idle"
	ratioTable       = "ratio"
	sharedRatioTable = "ratio_shm"
)

func (b *Peers) Plan(o Options) *suite.Plan {
	t := newTable(peersTable, "figure", "unit", "implementation", "over")
	t.Across = []string{"implementation", "over"}
	t.Columns = []report.Column{
		{Figure: "value", Title: "figures (of a time less is better, of a rate more)", Format: "%.3f"},
		{Figure: "ratio", Title: "figures divided by those of the best peer over the same medium", Format: "%.3f"},
		coresUsed,
	}
	t.Plot = &report.Plot{
		Title: "Figures divided by the best TCP peer's", By: []string{"implementation"}, Dim: "figure",
		Figure: "ratio", YLabel: "ratio", Bars: true,
		Only: func(at []any) bool { return at[3] == network.ours },
	}
	contenders := append(ownContenders(o), peerContenders(o, b.found)...)
	compared := comparisons
	switch {
	case b.oneSided:
		compared = oneSidedComparisons
	case b.collectives:
		compared = collectiveComparisons
	}
	for _, c := range compared {
		for _, ct := range contenders {
			t.slot(c.at(ct)...)
		}
	}
	jobs := byRanks(compared)
	p := &suite.Plan{Tables: []*report.Table{t.Table}, Derive: b.derive, Missing: b.missing}
	for _, ct := range contenders {
		for _, ranks := range slices.Sorted(maps.Keys(jobs)) {
			p.Jobs = append(p.Jobs, ct.compare(t, ranks, jobs[ranks]))
		}
	}
	if !b.collectives && !b.oneSided {
		b.planIdle(o, p)
	}
	return p
}

// idleSpin makes both jobs whose latency is compared spin: the one with more ranks than cores would
// not spin otherwise.
const idleSpin = "SCTPMPI_SPIN=50us"

// planIdle adds two jobs that show what idle associations cost: one with a rank for each idle
// association, one with none. All ranks are in one process, as so many processes would need too much
// memory.
func (b *Peers) planIdle(o Options, p *suite.Plan) {
	if b.idle == 0 {
		return
	}
	t := newTable(idleTable, "implementation", "idle associations")
	t.Columns = []report.Column{{Figure: "half_rtt_us", Title: "half RTT µs", Format: "%.2f"}, coresUsed}
	for _, idle := range []int{0, b.idle} {
		s := setup{transport: sctprpi.Name, mode: "in one process", local: true, idle: idle, env: []string{idleSpin, network.variable}}
		p.Jobs = append(p.Jobs, o.job(s.with(rank.Work{Program: "latency", Size: 8}, t.slot(sctprpi.Name, idle))))
	}
	p.Tables = append(p.Tables, t.Table)
}
