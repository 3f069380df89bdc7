// Package bench has the benchmarks of mpibench, a file for each command.
package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// Benchmark is a command of mpibench.
type Benchmark interface {
	// Flags adds the benchmark's own flags.
	Flags(fs *pflag.FlagSet)
	// Check reports what is wrong with the values of those flags.
	Check() error
	// Plan makes the measurements.
	Plan(o Options) *suite.Plan
}

// Options are common to all benchmarks.
type Options struct {
	// Transports are the transports to measure, in the order in which they are shown.
	Transports []string
	Duration   time.Duration
}

// Transports returns the transports that this host can run.
func Transports() []string {
	return slices.DeleteFunc(mpi.Transports(), func(name string) bool {
		return name == sctprpi.KernelName && kernel.Probe() != nil
	})
}

// CheckTransports reports what is wrong with the value of --transport.
func CheckTransports(names []string) error {
	if len(names) == 0 {
		return errors.New("--transport: no name")
	}
	for i, name := range names {
		if !slices.Contains(mpi.Transports(), name) {
			return fmt.Errorf("--transport: %q is none of the transports %s", name, strings.Join(mpi.Transports(), ", "))
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("--transport: %s is named twice", name)
		}
	}
	return nil
}

// setup says how to start a job, and what it measures.
type setup struct {
	transport string
	ranks     int
	mode      string // what the job's name says about env
	env       []string
	local     bool // all ranks in one process
	idle      int  // further ranks, which are idle
	works     []rank.Work
	slots     []suite.Slot // for the figures of each work
}

// with adds a work, whose figures go to a slot.
func (s setup) with(w rank.Work, slot suite.Slot) setup {
	s.works, s.slots = append(s.works, w), append(s.slots, slot)
	return s
}

// job makes the job of a setup.
func (o Options) job(s setup) suite.Job {
	for i := range s.works {
		if s.works[i].Count == 0 {
			s.works[i].Duration = o.Duration
		}
	}
	job := launch.Job{
		Ranks: s.ranks, Transport: s.transport, Env: s.env,
		Order: rank.Order{Works: s.works, Idle: s.idle, Local: s.local},
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
	return suite.Job{Name: name, Limit: limit(len(s.works), s.ranks+s.idle, o.Duration), Run: job.Run, Slots: s.slots, Beside: s.beside(o.Duration)}
}

// What a job does beside its measurements takes about so long, on a host that is as fast as most.
const (
	perByte    = 3 * time.Nanosecond    // of what is not read at once
	perMessage = 20 * time.Microsecond  // that is not read at once, or receive that is posted for none
	perSocket  = 700 * time.Microsecond // for which a connection has to be made
	settling   = 300 * time.Millisecond // until nothing more comes of what is not read
)

// beside is how long a job takes for what it does beside measuring each of its works once.
func (s setup) beside(duration time.Duration) (all time.Duration) {
	for _, w := range s.works {
		unread := w.Unread.Tags * w.Unread.Messages
		all += time.Duration(w.Posted+w.Unexpected+unread)*perMessage + time.Duration(unread*w.Unread.Size)*perByte
		if s.transport == pertrc.Name {
			all += time.Duration(w.Unexpected+w.Unread.Tags+w.Tags) * perSocket
		}
		switch w.Program {
		case "pushback": // alone, beside what is not read, and alone again
			all += 2*suite.Measurement(duration) + settling
		case "overlap": // without computing, and with it
			all += suite.Measurement(duration)
		case "gap": // a dozen short floods for each overhead
			if w.Overheads {
				all += 3 * duration
			}
		}
	}
	return all
}

// limit is the longest time of a job: far more than it needs, where others want the processors too.
func limit(works, ranks int, duration time.Duration) time.Duration {
	return 2*time.Minute + time.Duration(ranks)*50*time.Millisecond + time.Duration(works)*(3*time.Second+20*duration)
}

// table is a report.Table to which points are added.
type table struct{ *report.Table }

func newTable(name string, dims ...string) table {
	t := table{&report.Table{Name: name, Dims: dims}}
	if slices.Contains(dims, "transport") {
		t.Across = []string{"transport"}
	}
	return t
}

// slot adds a point, and returns the slot for its figures.
func (t table) slot(at ...any) suite.Slot {
	p := &report.Point{At: at}
	t.Points = append(t.Points, p)
	return suite.Slot{Point: p}
}

// coresUsed is a column of most tables. The wall time and the processor time of a measurement, wall_s
// and cpu_s, are only in JSON and CSV.
var coresUsed = report.Column{Figure: "cores", Title: "cores in use", Format: "%.2f"}

// coresOfEnds are columns of the processor time of sender and receiver apart, where messages go one way.
var coresOfEnds = []report.Column{
	{Figure: "sender_cores", Title: "cores of the sender", Format: "%.2f"},
	{Figure: "receiver_cores", Title: "cores of the receiver", Format: "%.2f"},
}

// drawEnds are charts of these columns, with the lines of another chart.
func drawEnds(of report.Plot) (all []*report.Plot) {
	for _, end := range []string{"sender", "receiver"} {
		p := of
		p.Name, p.Title, p.Figure, p.YLabel, p.LogY = end, "Processor time of the "+end, end+"_cores", "cores", false
		all = append(all, &p)
	}
	return all
}

// callsMade is a column of what the transports of both ranks together ask of the kernel.
var callsMade = report.Column{Figure: "calls", Title: "system calls/message", Format: "%.2f"}

// mode is a way to wait for messages or to make progress, and the variables that select it.
type mode struct {
	name string
	env  []string
}

// withinUnlessNone is within for a flag that need not have a value.
func withinUnlessNone(flag string, low, high int, values ...int) error {
	if len(values) == 0 {
		return nil
	}
	return within(flag, low, high, values...)
}

// within reports the first value of a flag that is not in a range.
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
