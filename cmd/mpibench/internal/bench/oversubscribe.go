package bench

import (
	"cmp"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// Oversubscribe measures collective operations of more ranks than there are cores.
type Oversubscribe struct {
	ranks []int
	size  int
}

func (b *Oversubscribe) Flags(fs *pflag.FlagSet) {
	fs.IntSliceVar(&b.ranks, "ranks", []int{2, 4, 8, 16, 32}, "`numbers` of ranks")
	fs.IntVar(&b.size, "size", 64, "length in `bytes` of the vector of float64 that is summed up")
}

func (b *Oversubscribe) Check() error {
	return cmp.Or(within("size", 8, 16<<20, b.size), within("ranks", 2, maxRanks, b.ranks...))
}

func (b *Oversubscribe) Plan(o Options) *suite.Plan {
	t := newTable("oversubscribe", "transport", "operation", "ranks")
	t.Columns = []report.Column{{Figure: "operation_us", Title: "time, µs", Format: "%.0f"}, coresUsed}
	t.Plot = &report.Plot{
		Title: "More ranks than cores", By: []string{"transport", "operation"}, Dim: "ranks", XLabel: "ranks on two cores",
		Figure: "operation_us", YLabel: "time (µs)", LogX: true, LogY: true,
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table}}
	works := []rank.Work{
		{Program: "collective", Operation: barrier}, {Program: "collective", Operation: allreduce, Size: b.size},
	}
	for _, transport := range o.Transports {
		for _, w := range works {
			for _, ranks := range b.ranks {
				s := setup{transport: transport, ranks: ranks, mode: w.Operation}
				p.Jobs = append(p.Jobs, o.job(s.with(w, t.slot(transport, w.Operation, ranks))))
			}
		}
	}
	return p
}
