// Package rank is what the ranks of a measured job do: programs in MPI that take the
// time of their own messages. The first rank writes what was found out to standard
// output, a line of JSON for each piece of work.
package rank

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Order is all that one job is to do.
type Order struct {
	Works []Work `json:"works"`
	// Idle ranks, beside two that work, do nothing meanwhile but have exchanged a message
	// with each of the two.
	Idle int `json:"idle,omitempty"`
	// Local has all ranks in one process.
	Local bool `json:"local,omitempty"`
	// Wait has the job begin when the first rank has read a byte from standard input,
	// before which it writes an empty line: so that several jobs begin together.
	Wait bool `json:"wait,omitempty"`
}

// Work is one thing to measure.
type Work struct {
	// Program is one of Programs.
	Program string `json:"program"`
	// Size is the length of a message in bytes.
	Size int `json:"size,omitempty"`
	// Window is how many messages are under way together.
	Window int `json:"window,omitempty"`
	// Goroutines is how many goroutines of each rank have such a window; 0 stands for 1.
	Goroutines int `json:"goroutines,omitempty"`
	// Posted and Unexpected are how many receives that match nothing, and messages that
	// nothing matches, each rank has beside those that are measured.
	Posted     int `json:"posted,omitempty"`
	Unexpected int `json:"unexpected,omitempty"`
	// Both has both ranks send.
	Both bool `json:"both,omitempty"`
	// Compute is how long each step computes, as calibrated on an idle core.
	Compute time.Duration `json:"compute_ns,omitempty"`
	// Operation is a collective operation.
	Operation string `json:"operation,omitempty"`
	// Count is how many steps to measure; 0 stands for as many as take about Duration.
	Count    int           `json:"count,omitempty"`
	Duration time.Duration `json:"duration_ns,omitempty"`
}

// Figures are results by their names, which say the unit. All programs have the number of
// steps that were measured, count, how long those took together, wall_s, and what all ranks
// together have computed meanwhile, cpu_s.
type Figures map[string]float64

// program measures. All ranks of the session run it; what it returns counts at the first.
type program func(s *session) (Figures, error)

var programs = map[string]program{
	"latency":    latency,
	"flood":      flood,
	"collective": collective,
	"send":       sendOverhead,
	"receive":    receiveOverhead,
	"overlap":    overlap,
	"backlog":    backlog,
	"exchange":   exchange,
}

// Programs are the names of what a rank can do.
func Programs() []string { return slices.Sorted(maps.Keys(programs)) }

// run does one piece of work with the first ranks of the world.
func (o *Order) run(world *mpi.Comm, ranks int, w Work) (Figures, error) {
	program, known := programs[w.Program]
	if !known {
		return nil, fmt.Errorf("%q is none of the programs %q", w.Program, Programs())
	}
	s := &session{world: world, ranks: ranks, Work: w, cpu: cpuTime}
	if o.Local && world.Rank() > 0 {
		s.cpu = func() time.Duration { return 0 } // the first rank's clock has it all
	}
	figures, err := program(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Program, err)
	}
	return figures, nil
}
