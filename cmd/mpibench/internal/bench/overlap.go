package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// Overlap measures how much of a receive happens during a computation, in each progress mode: the
// test of figures 4.9 to 4.11 in Majumder's thesis. Or of a nonblocking allreduce.
type Overlap struct {
	operation string
	sizes     []int
	compute   []string
	progress  progress
}

func (b *Overlap) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&b.operation, "operation", rank.Receive, "what overlaps with the computation, `receive` or allreduce")
	fs.IntSliceVar(&b.sizes, "size", []int{8 << 10, 1 << 20}, "lengths of the message in `bytes`")
	fs.StringSliceVar(&b.compute, "compute", []string{"100us", "300us", "1ms", "3ms", "10ms"},
		"`computations` before the wait: times on a processor of one's own, or millions of increments of an integer, as 1M,10M,100M")
	b.progress.flag(fs, "inline", "event", "hybrid")
}

func (b *Overlap) Check() error {
	if !slices.Contains(rank.Overlapping(), b.operation) {
		return fmt.Errorf("--operation %q: it is none of %q", b.operation, rank.Overlapping())
	}
	if err := b.progress.check(); err != nil {
		return err
	}
	if len(b.compute) == 0 {
		return fmt.Errorf("--compute: no value")
	}
	for i, text := range b.compute {
		if _, err := parseComputation(text); err != nil {
			return fmt.Errorf("--compute: %w", err)
		}
		if slices.Contains(b.compute[:i], text) {
			return fmt.Errorf("--compute: %s is named twice", text)
		}
	}
	return within("size", 1, maxSize, b.sizes...)
}

// computation takes a time, or counts to a number.
type computation struct {
	time       time.Duration
	increments int
}

// The longest computation that can be asked for.
const (
	maxCompute  = 10 * time.Second
	maxMillions = 10_000
)

// parseComputation reads 3ms, or 10M.
func parseComputation(text string) (computation, error) {
	if millions, counts := strings.CutSuffix(text, "M"); counts {
		n, err := strconv.Atoi(millions)
		if err != nil || n < 1 || n > maxMillions {
			return computation{}, fmt.Errorf("%q: increments are 1M to %dM", text, maxMillions)
		}
		return computation{increments: n * 1e6}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Microsecond || d > maxCompute {
		return computation{}, fmt.Errorf("%q: it must be a time of 1us to %v, or increments as 10M", text, maxCompute)
	}
	return computation{time: d}, nil
}

func (b *Overlap) Plan(o Options) *suite.Plan {
	t := newTable("overlap", "transport", "progress", "compute", "bytes")
	t.Columns = append([]report.Column{
		{Figure: "transfer_us", Title: b.operation + " alone µs", Format: "%.0f"},
		{Figure: "wait_us", Title: "wait µs", Format: "%.0f"},
		b.progress.change("wait_us", "wait"),
		{Figure: "total_us", Title: "total µs", Format: "%.0f"},
		b.progress.change("total_us", "total"),
		{Figure: "hidden", Title: "share hidden", Format: "%.3f"},
		coresUsed,
	}, coresOfEnds...)
	p := b.progress.plan(t, "wait_us", "total_us")
	for _, transport := range o.Transports {
		t.Others = append(t.Others, b.draw(transport)...)
		for _, m := range b.progress.modes() {
			s := setup{transport: transport, ranks: 2, mode: m.chosen(), env: m.env}
			for _, text := range b.compute {
				for _, size := range b.sizes {
					c, _ := parseComputation(text) // has been checked
					s = s.with(
						rank.Work{Program: "overlap", Operation: b.operation, Size: size, Compute: c.time, Increments: c.increments},
						t.slot(transport, m.name, text, size))
				}
			}
			p.Jobs = append(p.Jobs, o.job(s))
		}
	}
	return p
}

// draw makes charts of the change of the wait and of the whole time over a transport, or of the wait if there is nothing to compare it with.
func (b *Overlap) draw(transport string) []*report.Plot {
	base := report.Plot{By: []string{"compute", "progress"}, Dim: "bytes", XLabel: "message (bytes)", LogX: true}
	if !b.progress.several() {
		base.Name, base.Title, base.Figure, base.YLabel = "wait-"+transport, "Wait after computing, "+transport, "wait_us", "wait (µs)"
		base.Only = func(at []any) bool { return at[0] == transport }
		return []*report.Plot{&base}
	}
	base.Only = func(at []any) bool { return at[0] == transport && at[1] != b.progress.first() }
	wait, total := base, base
	wait.Name, wait.Title, wait.Figure = "wait-"+transport, "Wait after computing, "+transport, changeOf("wait_us")
	total.Name, total.Title, total.Figure = "total-"+transport, "From the receive to the end of its wait, "+transport, changeOf("total_us")
	for _, p := range []*report.Plot{&wait, &total} {
		p.YLabel = "change by " + b.progress.first() + " (%)"
	}
	return []*report.Plot{&wait, &total}
}
