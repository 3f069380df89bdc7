package bench

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/sctpbench/internal/worker"
)

// Plan makes the measurements of contenders, of about the given duration each. Missing says why
// other contenders are not among them.
func Plan(contenders []Contender, missing map[string]string, duration time.Duration) *suite.Plan {
	t := newTable()
	p := &suite.Plan{Tables: []*report.Table{t}, Missing: missing}
	for _, c := range contenders {
		point := &report.Point{At: []any{c.Name}}
		t.Points = append(t.Points, point)
		for _, v := range c.variants() {
			p.Jobs = append(p.Jobs, c.job(v, point, duration))
		}
		if c.Name == Engine {
			idle := newIdleTable()
			p.Tables = append(p.Tables, idle)
			p.Jobs = append(p.Jobs, c.idleJob(idle, duration))
		}
	}
	p.Derive = func(r *report.Report) {
		addRatios(t)
		if idle := r.Table(idleName); idle != nil {
			addIdleRatio(idle)
		}
	}
	return p
}

func newTable() *report.Table {
	return &report.Table{
		Name: "transports", Dims: []string{"transport"}, Across: []string{"transport"},
		Columns: []report.Column{
			{Figure: halfRTT, Title: "half round trip of 64 B, µs", Format: "%.2f"},
			{Figure: halfRTTP50, Title: "median, µs", Format: "%.2f"},
			{Figure: halfRTTP99, Title: "99th percentile, µs", Format: "%.2f"},
			{Figure: rate, Title: "64 B messages per second", Format: "%.3g"},
			{Figure: "gbit_1k", Title: "1 KiB messages, Gbit/s", Format: "%.2f"},
			{Figure: "gbit_64k", Title: "64 KiB messages, Gbit/s", Format: "%.2f"},
			{Figure: "gbit_4m", Title: "4 MiB messages, Gbit/s", Format: "%.2f"},
			{Figure: "gbit_1k_nocrc", Title: "1 KiB without CRC32c, Gbit/s", Format: "%.2f"},
			{Figure: "gbit_64k_nocrc", Title: "64 KiB without CRC32c, Gbit/s", Format: "%.2f"},
			{Figure: "gbit_4m_nocrc", Title: "4 MiB without CRC32c, Gbit/s", Format: "%.2f"},
		},
		Plot: &report.Plot{
			Title: "Throughput of 64 KiB messages", Dim: "transport", Figure: "gbit_64k", YLabel: "Gbit/s", Bars: true,
			Only: func(at []any) bool { return !strings.HasPrefix(at[0].(string), ratioPrefix) },
		},
	}
}

// job measures a variant over a link of its own.
func (c Contender) job(v variant, point *report.Point, duration time.Duration) suite.Job {
	j := suite.Job{Name: c.Name, Limit: jobLimit(len(v.measurements), duration)}
	for range v.measurements {
		j.Slots = append(j.Slots, suite.Slot{Point: point})
	}
	j.Run = func(ctx context.Context) ([]suite.Figures, error) {
		pair, err := c.open(ctx, v, duration)
		if err != nil {
			return nil, err
		}
		defer pair.Close()
		var all []suite.Figures
		for _, m := range v.measurements {
			f, err := m.take(ctx, pair, duration)
			if err != nil {
				return nil, err
			}
			all = append(all, f)
		}
		return all, nil
	}
	return j
}

// jobLimit is the longest time of a job: that of opening the link and of all measurements.
func jobLimit(measurements int, duration time.Duration) time.Duration {
	return time.Duration(1+measurements) * stepLimit(duration)
}

var errNoLink = errors.New("the worker processes could not be linked in time")

func (c Contender) open(ctx context.Context, v variant, duration time.Duration) (*worker.Pair, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, stepLimit(duration), errNoLink)
	defer cancel()
	return worker.Open(ctx, c.Command, c.Name, v.options)
}

// ratioPrefix begins the names of the columns with ratios.
const ratioPrefix = Engine + "/"

// addRatios adds the engine's figures divided by those of each other contender.
func addRatios(t *report.Table) {
	engine := t.Point(Engine)
	if engine == nil {
		return
	}
	for _, name := range Names {
		other := t.Point(name)
		if other == nil || other == engine {
			continue
		}
		ratio := &report.Point{At: []any{ratioPrefix + name}, Figures: make(map[string]measure.Figure)}
		for figure, f := range engine.Figures {
			if value, ok := other.Median(figure); ok && value > 0 {
				ratio.Figures[figure] = measure.Range(f.Median / value)
			}
		}
		t.Points = append(t.Points, ratio)
	}
}
