package bench

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/kernels"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// Multiprogram measures how much other programs on the same cores slow a job down, for each way in
// which ranks wait for messages: the co-scheduling of Wong and others.
type Multiprogram struct {
	works              []string
	class              string
	copies, sequential []int
	ranks, size, steps int
	compute            time.Duration
}

// synthetic is the work that is no kernel of NAS.
const synthetic = "synthetic"

func (b *Multiprogram) Flags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&b.works, "work", []string{synthetic},
		"`names` of what the job does: "+synthetic+", or kernels of NAS, of "+strings.Join(kernels.Names(), ", "))
	fs.StringVar(&b.class, "class", "W", "size of the problems of NAS, a `letter`: S, W, A, B or C")
	fs.IntSliceVar(&b.copies, "copies", []int{2, 3}, "`numbers` of copies of the job at the same time, besides one")
	fs.IntSliceVar(&b.sequential, "sequential", []int{1, 2, 3}, "`numbers` of sequential programs on each core, beside one copy")
	fs.IntVar(&b.ranks, "ranks", 2, "`number` of ranks of each copy")
	fs.IntVar(&b.size, "size", 8, synthetic+": length in `bytes` of the vector that the ranks sum up in each step")
	fs.IntVar(&b.steps, "steps", 2000, synthetic+": `number` of steps")
	fs.DurationVar(&b.compute, "compute", 100*time.Microsecond, synthetic+": `time` of computation in each step")
}

// maxPrograms bounds the copies, and the sequential programs of a core.
const maxPrograms = 16

func (b *Multiprogram) Check() error {
	return cmp.Or(
		b.checkWorks(),
		within("ranks", 2, maxRanks, b.ranks),
		within("size", 1, 16<<20, b.size),
		within("compute (in µs)", 0, 1_000_000, int(b.compute.Microseconds())),
		within("steps", 1, 1_000_000, b.steps),
		withinUnlessNone("copies", 2, maxPrograms, b.copies...),
		withinUnlessNone("sequential", 1, maxPrograms, b.sequential...),
	)
}

func (b *Multiprogram) checkWorks() error {
	if len(b.works) == 0 {
		return errors.New("--work: no name")
	}
	if _, err := kernels.ParseClass(b.class); err != nil {
		return fmt.Errorf("--class: %w", err)
	}
	for i, name := range b.works {
		if name = strings.ToLower(name); slices.Contains(b.works[:i], name) {
			return fmt.Errorf("--work: %s is named twice", name)
		}
		b.works[i] = name
		if name == synthetic {
			continue
		}
		k, err := kernels.Find(name)
		if err != nil {
			return fmt.Errorf("--work: neither %s, nor a kernel: %w", synthetic, err)
		}
		if err := k.Ranks(b.ranks); err != nil {
			return fmt.Errorf("--work: %s runs %w", k.Name, err)
		}
	}
	return nil
}

const blockOnly = "block only"

// waitingModes are the ways in which ranks wait for messages. The first is what others are compared with.
var waitingModes = []mode{
	{"spin only", []string{"SCTPMPI_SPIN=1h"}},
	{blockOnly, []string{"SCTPMPI_SPIN=0"}},
	{"spin-block", []string{"SCTPMPI_SPIN="}}, // as without the variable
}

// mixes begin with one copy alone.
func (b *Multiprogram) mixes() []mix {
	all := []mix{alone}
	for _, n := range b.copies {
		all = append(all, mix{copies: n})
	}
	for _, n := range b.sequential {
		all = append(all, mix{copies: 1, sequential: n})
	}
	return all
}

const (
	mixTable     = "multiprogram"
	partsTable   = "parts of the time"
	waitingTable = "waiting alone"
)

func (b *Multiprogram) Plan(o Options) *suite.Plan {
	t := newTable(mixTable, "transport", "work", "waiting", "on the cores")
	t.Columns = []report.Column{
		{Figure: "slowdown", Title: "slowdown", Format: "%.2f"},
		{Figure: "slowdown_fair", Title: "slowdown/fair share", Format: "%.2f"},
		{Figure: "slowest_s", Title: "slowest copy s", Format: "%.3f"},
		{Figure: "sequential", Title: "sequential speed", Format: "%.2f"},
		coresUsed,
	}
	w := newTable(waitingTable, "transport", "waiting")
	w.Columns = []report.Column{
		{Figure: "half_rtt_us", Title: "half RTT of 8 bytes µs", Format: "%.2f"},
		{Figure: "more_us", Title: "more than " + waitingModes[0].name + " µs", Format: "%+.2f"},
		{Figure: changeOf("half_rtt_us"), Title: "change by " + waitingModes[0].name + ", %", Format: "%+.1f"},
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table, b.partsTable(o).Table, w.Table}, Confidence: true, Derive: b.derive}
	for _, transport := range o.Transports {
		t.Others = append(t.Others, &report.Plot{
			Name: "slowdown-" + transport, Title: "Slowdown by others on the same cores, " + transport,
			By: []string{"work", "waiting"}, Dim: "on the cores", Figure: "slowdown_fair", YLabel: "time by that with a fair share", Bars: true,
			Only: func(at []any) bool { return at[0] == transport },
		})
		for _, m := range waitingModes {
			for _, name := range b.works {
				p.Jobs = append(p.Jobs, b.jobs(t, transport, name, m)...)
			}
			s := setup{transport: transport, ranks: 2, mode: m.name + " alone", env: m.env}
			p.Jobs = append(p.Jobs, o.job(s.with(rank.Work{Program: "latency", Size: 8}, w.slot(transport, m.name))))
		}
	}
	return p
}

// jobs are all mixes of a work, and a way to wait.
func (b *Multiprogram) jobs(t table, transport, work string, m mode) (all []suite.Job) {
	name, w, takes, most := b.work(work)
	for _, c := range b.mixes() {
		g := group{mix: c, job: launch.Job{
			Ranks: b.ranks, Transport: transport, Env: m.env, Order: rank.Order{Works: []rank.Work{w}, Wait: true},
		}}
		all = append(all, suite.Job{
			Name:  fmt.Sprintf("%s over %s, %s, %v", name, transport, m.name, c),
			Limit: most, Beside: time.Duration(float64(takes) * c.fair(b.ranks)), Run: g.run,
			Slots: []suite.Slot{t.slot(transport, name, m.name, c.String())},
		})
	}
	return all
}

// work is what a job does, its name, about how long it takes alone, and how long it may take: ranks that only spin can lose a whole
// time slice at every step.
func (b *Multiprogram) work(name string) (called string, w rank.Work, takes, most time.Duration) {
	if name != synthetic {
		limits := times[strings.ToUpper(b.class)]
		return nasRun{name, b.ranks}.named(b.class), rank.Work{Program: nasTable, Operation: name, Class: b.class}, limits.about, limits.most
	}
	steps := time.Duration(b.steps)
	return name, rank.Work{Program: "exchange", Size: b.size, Count: b.steps, Compute: b.compute},
		steps * b.compute, 20*time.Second + steps*(10*b.compute+20*time.Millisecond)
}
