package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/waiting"
)

// Waiting measures the calls by which a process waits for many connections.
type Waiting struct {
	connections []int
}

func (b *Waiting) Flags(fs *pflag.FlagSet) {
	fs.IntSliceVar(&b.connections, "connections", []int{10, 100, 200, 500, 1000}, "how many `connections` there are")
}

// Check bounds the connections: each takes two descriptors.
func (b *Waiting) Check() error { return within("connections", 1, 8000, b.connections...) }

func (b *Waiting) Plan(o Options) *suite.Plan {
	t := newTable("waiting", "call", "connections")
	t.Across = []string{"call"}
	t.Columns = []report.Column{{Figure: "call_us", Title: "µs/call", Format: "%.2f"}}
	t.Plot = &report.Plot{
		Title: "Waiting for one of many connections", By: []string{"call"}, Dim: "connections", XLabel: "connections",
		Figure: "call_us", YLabel: "time of a call (µs)", LogX: true, LogY: true,
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table}}
	for _, call := range waiting.Calls {
		for _, n := range b.connections {
			p.Jobs = append(p.Jobs, suite.Job{
				Name: fmt.Sprintf("%s of %d connections", call, n), Limit: limit(1, 0, o.Duration), Slots: []suite.Slot{t.slot(call, n)},
				Run: func(context.Context) ([]suite.Figures, error) {
					us, err := waiting.Measure(call, n, o.Duration)
					if err != nil && !errors.Is(err, errors.ErrUnsupported) {
						err = fmt.Errorf("%w: is the limit of open files (ulimit -n) more than twice the connections?", err)
					}
					return []suite.Figures{{"call_us": us}}, err
				},
			})
		}
	}
	return p
}
