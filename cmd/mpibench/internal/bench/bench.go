// Package bench is what mpibench measures, a file for each command.
package bench

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/suite"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
)

// Benchmark is a command of mpibench.
type Benchmark interface {
	// Flags adds those of its own.
	Flags(fs *pflag.FlagSet)
	// Check says what is wrong with the values of its flags.
	Check() error
	// Plan makes the measurements.
	Plan(o Options) *suite.Plan
}

// Options are common to all benchmarks.
type Options struct {
	// Transports are measured in this order.
	Transports []string
	Duration   time.Duration
}

// Transports are those that this host can run.
func Transports() []string {
	return slices.DeleteFunc(mpi.Transports(), func(name string) bool {
		return name == sctprpi.KernelName && kernel.Probe() != nil
	})
}

// CheckTransports says what is wrong with a choice of transports.
func CheckTransports(names []string) error {
	for i, name := range names {
		if !slices.Contains(mpi.Transports(), name) {
			return fmt.Errorf("%q is none of the transports %s", name, strings.Join(mpi.Transports(), ", "))
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("%s is named twice", name)
		}
	}
	return nil
}

// setup is a way to start jobs.
type setup struct {
	transport string
	ranks     int
	mode      string // names what env does
	env       []string
	// local has all ranks in one process, and so many more that are idle.
	local bool
	idle  int
}

// job makes the job of a setup, with the figures of each work going to a slot.
func (o Options) job(s setup, works []rank.Work, slots []suite.Slot) suite.Job {
	for i := range works {
		if works[i].Count == 0 {
			works[i].Duration = o.Duration
		}
	}
	job := launch.Job{
		Ranks: s.ranks, Transport: s.transport, Env: s.env,
		Order: rank.Order{Works: works, Idle: s.idle, Local: s.local},
	}
	name := s.transport
	if s.mode != "" {
		name += " " + s.mode
	}
	if s.ranks > 2 {
		name += fmt.Sprintf(" of %d ranks", s.ranks)
	}
	if s.idle > 0 {
		name += fmt.Sprintf(" beside %d idle ranks", s.idle)
	}
	return suite.Job{Name: name, Limit: limit(len(works), s.ranks+s.idle, o.Duration), Run: job.Run, Slots: slots}
}

// limit is how long a job may take: far longer than it should.
func limit(works, ranks int, duration time.Duration) time.Duration {
	return 10*time.Second + time.Duration(ranks)*50*time.Millisecond + time.Duration(works)*(3*time.Second+20*duration)
}

// table collects points and the jobs that make them.
type table struct{ *report.Table }

func newTable(name string, dims ...string) table {
	t := table{&report.Table{Name: name, Dims: dims}}
	if slices.Contains(dims, "transport") {
		t.Across = []string{"transport"}
	}
	return t
}

// slot adds a point.
func (t table) slot(at ...any) suite.Slot {
	p := &report.Point{At: at}
	t.Points = append(t.Points, p)
	return suite.Slot{Point: p}
}

// coresUsed is the column that most tables have. How long a measurement took, wall_s, and
// the processor time, cpu_s, are for programs: JSON and CSV have them.
var coresUsed = report.Column{Figure: "cores", Title: "cores in use", Format: "%.2f"}

// mode is a way to wait for messages, or to make progress.
type mode struct {
	name string
	env  []string
}

// within reports the first of values that is not in a range, by the name of its flag.
func within(flag string, low, high int, values ...int) error {
	if len(values) == 0 {
		return fmt.Errorf("--%s: no value", flag)
	}
	for _, v := range values {
		if v < low || v > high {
			return fmt.Errorf("--%s %d: it must be %d to %d", flag, v, low, high)
		}
	}
	return nil
}
