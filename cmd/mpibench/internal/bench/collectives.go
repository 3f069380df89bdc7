package bench

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

const (
	barrier   = "barrier"
	allreduce = "allreduce"
	maxRanks  = 64
)

// Collectives measures the time of collective operations.
type Collectives struct {
	ranks, sizes []int
	operations   []string
}

func (b *Collectives) Flags(fs *pflag.FlagSet) {
	fs.IntSliceVar(&b.ranks, "ranks", []int{2, 4}, "`numbers` of ranks")
	fs.IntSliceVar(&b.sizes, "size", []int{8, 1 << 10, 64 << 10, 1 << 20}, "lengths in `bytes` of each rank's vector of float64")
	fs.StringSliceVar(&b.operations, "operation", rank.Operations(), "measure these `operations` only")
}

func (b *Collectives) Check() error {
	for _, name := range b.operations {
		if !slices.Contains(rank.Operations(), name) {
			return fmt.Errorf("--operation %q: it is none of %q", name, rank.Operations())
		}
	}
	return cmp.Or(within("ranks", 2, maxRanks, b.ranks...), within("size", 8, 16<<20, b.sizes...))
}

func (b *Collectives) Plan(o Options) *suite.Plan {
	t := newTable("collectives", "transport", "operation", "ranks", "bytes")
	t.Columns = []report.Column{{Figure: "operation_us", Title: "time, µs", Format: "%.1f"}, coresUsed}
	t.Plot = &report.Plot{
		Title: fmt.Sprintf("Collective operations, %d bytes from each rank", b.sizes[0]), By: []string{"transport", "ranks"}, Dim: "operation",
		Figure: "operation_us", YLabel: "time (µs)", Bars: true,
		Only: func(at []any) bool { return at[3] == b.sizes[0] },
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table}}
	for _, transport := range o.Transports {
		for _, ranks := range b.ranks {
			s := setup{transport: transport, ranks: ranks}
			for _, operation := range b.operations {
				for i, size := range b.sizes {
					if operation == barrier {
						if size = 0; i > 0 {
							break
						}
					}
					s = s.with(rank.Work{Program: "collective", Operation: operation, Size: size}, t.slot(transport, operation, ranks, size))
				}
			}
			p.Jobs = append(p.Jobs, o.job(s))
		}
	}
	return p
}
