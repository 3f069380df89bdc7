package bench

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// Multiprogram measures how much other programs on the same cores slow a job down, for each way in
// which ranks wait for messages: the co-scheduling of Wong's thesis.
type Multiprogram struct {
	ranks, size, steps int
	compute            time.Duration
}

func (b *Multiprogram) Flags(fs *pflag.FlagSet) {
	fs.IntVar(&b.ranks, "ranks", 2, "`number` of ranks of each copy")
	fs.IntVar(&b.size, "size", 8, "length in `bytes` of the vector that the ranks sum up in each step")
	fs.IntVar(&b.steps, "steps", 2000, "`number` of steps")
	fs.DurationVar(&b.compute, "compute", 100*time.Microsecond, "`time` of computation in each step")
}

func (b *Multiprogram) Check() error {
	if err := within("ranks", 2, maxRanks, b.ranks); err != nil {
		return err
	}
	if err := within("size", 1, 16<<20, b.size); err != nil {
		return err
	}
	if err := within("compute (in µs)", 0, 1_000_000, int(b.compute.Microseconds())); err != nil {
		return err
	}
	return within("steps", 1, 1_000_000, b.steps)
}

// waitingModes are the ways in which ranks wait for messages.
var waitingModes = []mode{
	{"spin only", []string{"SCTPMPI_SPIN=1h"}},
	{"block only", []string{"SCTPMPI_SPIN=0"}},
	{"spin-block", []string{"SCTPMPI_SPIN="}}, // as without the variable
}

// mix is the programs that share the cores: copies of the job, and sequential programs.
type mix struct{ copies, sequential int }

// mixes begins with one copy alone, with which the others are compared.
var mixes = []mix{{1, 0}, {2, 0}, {3, 0}, {1, 1}, {1, 2}}

func (c mix) String() string {
	text := fmt.Sprintf("%d copies", c.copies)
	if c.copies == 1 {
		text = "1 copy"
	}
	if c.sequential > 0 {
		text += fmt.Sprintf(" +%d sequential", c.sequential)
	}
	return text
}

func (b *Multiprogram) Plan(o Options) *suite.Plan {
	t := newTable("multiprogram", "transport", "waiting", "on the cores")
	t.Columns = []report.Column{
		{Figure: "slowdown", Title: "slowdown", Format: "%.2f"},
		{Figure: "slowdown_per_copy", Title: "slowdown/copies", Format: "%.2f"},
		{Figure: "slowest_s", Title: "slowest copy s", Format: "%.3f"},
		{Figure: "sequential", Title: "sequential speed", Format: "%.2f"},
		coresUsed,
	}
	t.Plot = &report.Plot{
		Title: "Slowdown by others on the same cores", By: []string{"transport", "waiting"}, Dim: "on the cores",
		Figure: "slowdown", YLabel: "slowdown against alone", Bars: true,
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table}, Derive: deriveSlowdowns}
	work := rank.Work{Program: "exchange", Size: b.size, Count: b.steps, Compute: b.compute}
	for _, transport := range o.Transports {
		for _, m := range waitingModes {
			for _, c := range mixes {
				g := group{mix: c, job: launch.Job{
					Ranks: b.ranks, Transport: transport, Env: m.env,
					Order: rank.Order{Works: []rank.Work{work}, Wait: true},
				}}
				p.Jobs = append(p.Jobs, suite.Job{
					Name:  fmt.Sprintf("%s, %s, %v", transport, m.name, c),
					Limit: b.limit(), Run: g.run, Slots: []suite.Slot{t.slot(transport, m.name, c.String())},
				})
			}
		}
	}
	return p
}

// limit is the longest time of a group: ranks that only spin can lose a whole time slice at every
// step.
func (b *Multiprogram) limit() time.Duration {
	return 20*time.Second + time.Duration(b.steps)*(10*b.compute+20*time.Millisecond)
}

// deriveSlowdowns divides the time of the copies by that of one copy alone.
func deriveSlowdowns(r *report.Report) {
	t := r.Tables[0]
	for _, p := range t.Points {
		alone, ok := t.Point(p.At[0], p.At[1], mixes[0].String()).Median("wall_s")
		f, measured := p.Figures["wall_s"]
		if !ok || !measured || alone == 0 {
			continue
		}
		p.Figures["slowdown"] = f.Times(1 / alone)
		for _, c := range mixes {
			if p.At[2] == c.String() {
				p.Figures["slowdown_per_copy"] = f.Times(1 / alone / float64(c.copies))
			}
		}
	}
}
