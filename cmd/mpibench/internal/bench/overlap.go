package bench

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// Overlap measures how much of a receive happens during a computation, in each progress mode: the
// test of figure 4.9 in Majumder's thesis. Or of a nonblocking allreduce.
type Overlap struct {
	operation string
	sizes     []int
	compute   []time.Duration
}

func (b *Overlap) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&b.operation, "operation", rank.Receive, "what overlaps with the computation, `receive` or allreduce")
	fs.IntSliceVar(&b.sizes, "size", []int{8 << 10, 1 << 20}, "lengths of the message in `bytes`")
	fs.DurationSliceVar(&b.compute, "compute", []time.Duration{
		100 * time.Microsecond, 300 * time.Microsecond, time.Millisecond, 3 * time.Millisecond, 10 * time.Millisecond,
	}, "`times` of computation before the wait")
}

func (b *Overlap) Check() error {
	if !slices.Contains(rank.Overlapping(), b.operation) {
		return fmt.Errorf("--operation %q: it is none of %q", b.operation, rank.Overlapping())
	}
	for _, d := range b.compute {
		if err := within("compute (in µs)", 1, 10_000_000, int(d.Microseconds())); err != nil {
			return err
		}
	}
	return within("size", 1, maxSize, b.sizes...)
}

// progressModes are all progress modes of the library.
var progressModes = []mode{
	{"inline", []string{"SCTPMPI_PROGRESS=inline"}},
	{"event", []string{"SCTPMPI_PROGRESS=event"}},
	{"hybrid", []string{"SCTPMPI_PROGRESS=hybrid"}},
}

func (b *Overlap) Plan(o Options) *suite.Plan {
	t := newTable("overlap", "transport", "progress", "bytes", "compute ms")
	t.Columns = []report.Column{
		{Figure: "transfer_us", Title: b.operation + " alone µs", Format: "%.0f"},
		{Figure: "wait_us", Title: "wait µs", Format: "%.0f"},
		{Figure: "total_us", Title: "total µs", Format: "%.0f"},
		{Figure: "hidden", Title: "share hidden", Format: "%.3f"},
		{Figure: "cores", Title: "cores", Format: "%.2f"},
	}
	t.Plot = &report.Plot{
		Title: fmt.Sprintf("Wait for %d bytes after computing", b.sizes[len(b.sizes)-1]), By: []string{"transport", "progress"}, Dim: "compute ms", XLabel: "computation (ms)",
		Figure: "wait_us", YLabel: "wait (µs)", LogX: true,
		Only: func(at []any) bool { return at[2] == b.sizes[len(b.sizes)-1] },
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table}}
	for _, transport := range o.Transports {
		for _, m := range progressModes {
			s := setup{transport: transport, ranks: 2, mode: m.name, env: m.env}
			for _, size := range b.sizes {
				for _, d := range b.compute {
					s = s.with(
						rank.Work{Program: "overlap", Operation: b.operation, Size: size, Compute: d},
						t.slot(transport, m.name, size, float64(d.Microseconds())/1e3))
				}
			}
			p.Jobs = append(p.Jobs, o.job(s))
		}
	}
	return p
}
