// Package rank has the MPI programs that the ranks of a measured job run. They measure the time of
// their own messages. Rank 0 writes the results to standard output, a line of JSON for each Work.
package rank

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Order is everything that one job has to do.
type Order struct {
	Works []Work `json:"works"`
	// Idle is the number of ranks that only exchange a message with each of the first two
	// ranks, before these begin to work. If it is 0 all ranks work.
	Idle int `json:"idle,omitempty"`
	// Local runs all ranks in one process.
	Local bool `json:"local,omitempty"`
	// Wait lets several jobs begin together: rank 0 writes an empty line to standard output
	// when it is ready, and begins when it has read a byte from standard input.
	Wait bool `json:"wait,omitempty"`
}

// Work is one thing to measure.
type Work struct {
	// Program is one of Programs.
	Program string `json:"program"`
	// Size is the length of a message in bytes.
	Size int `json:"size,omitempty"`
	// Window is the number of messages in flight.
	Window int `json:"window,omitempty"`
	// Alloc has the messages of a flood in memory of MPI_Alloc_mem.
	Alloc bool `json:"alloc,omitempty"`
	// Tags is the number of tags that the messages take in turn. 0 is 1.
	Tags int `json:"tags,omitempty"`
	// Goroutines is the number of goroutines of each rank that have such a window. 0 is 1.
	Goroutines int `json:"goroutines,omitempty"`
	// Posted is the number of receives of each rank for which no message comes, Unexpected the
	// number of messages for which there is no receive. They are not measured.
	Posted     int `json:"posted,omitempty"`
	Unexpected int `json:"unexpected,omitempty"`
	// Unread is sent to a receiver that does not read it.
	Unread Unread `json:"unread,omitzero"`
	// Both makes both ranks send.
	Both bool `json:"both,omitempty"`
	// Compute is the time of computation in each step, on a core that is otherwise idle.
	Compute time.Duration `json:"compute_ns,omitempty"`
	// Increments are computed in each step of an overlap, besides or in place of that: it counts to so many.
	Increments int `json:"increments,omitempty"`
	// Operation is a collective operation, a one-sided one, Send, or a kernel of the NAS Parallel Benchmarks, and Class the size of that
	// one's problem.
	Operation string `json:"operation,omitempty"`
	Class     string `json:"class,omitempty"`
	// Link is what carries the messages of a flood if it is not MPI, one of Links. Single sends each of them by a call of its own.
	Link   string `json:"link,omitempty"`
	Single bool   `json:"single,omitempty"`
	// Overheads also measures those of a flood.
	Overheads bool `json:"overheads,omitempty"`
	// Count is the number of steps to measure. If it is 0, they take about Duration.
	Count    int           `json:"count,omitempty"`
	Duration time.Duration `json:"duration_ns,omitempty"`
}

// Figures are results by name. The name has the unit. All programs have count, the number of
// steps that were measured; wall_s, the time that those steps took together; cpu_s, the processor
// time of all ranks meanwhile; waited_s, how long their calls waited, and blocked_s, for how much of that they did not look; calls_step, the system calls of their transports for each step; and
// shared_peers, with how many of its peers rank 0 shares memory.
type Figures = map[string]float64

// program is run by all ranks of a session. The figures that it returns at rank 0 count.
type program func(s *session) (Figures, error)

var programs = map[string]program{
	"latency":    latency,
	"flood":      flood,
	"collective": collective,
	"eel":        endToEnd,
	"gap":        gap,
	"overlap":    overlap,
	"backlog":    backlog,
	"exchange":   exchange,
	"pushback":   pushback,
	"onesided":   oneSided,
	"nas":        kernel,
}

// Programs returns the names of the programs, sorted.
func Programs() []string { return slices.Sorted(maps.Keys(programs)) }

// run does one piece of work with the first ranks of the world.
func (o *Order) run(world *mpi.Comm, ranks int, w Work) (Figures, error) {
	program, known := programs[w.Program]
	if !known {
		return nil, fmt.Errorf("%q is none of the programs %q", w.Program, Programs())
	}
	if ranks < 2 && w.Program != "nas" {
		return nil, errors.New("a measurement needs two ranks")
	}
	s := &session{world: world, ranks: ranks, Work: w, cpu: cpuTime}
	if o.Local && world.Rank() > 0 {
		s.cpu = func() time.Duration { return 0 } // rank 0 counts the whole process
	}
	figures, err := program(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Program, err)
	}
	if figures != nil {
		figures["shared_peers"] = float64(world.Usage().SharedPeers)
	}
	return figures, nil
}
