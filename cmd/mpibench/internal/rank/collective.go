package rank

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// operations are the collective operations. Size is the length of a vector of float64, or of each
// rank's part where each has its own.
var operations = map[string]func(s *session, elements int) func() error{
	"barrier": func(s *session, _ int) func() error { return s.world.Barrier },
	"bcast": func(s *session, n int) func() error {
		buf := make([]float64, n)
		return func() error { return mpi.Bcast(s.world, buf, 0) }
	},
	"reduce":    reduction(func(c *mpi.Comm, a, b []float64) error { return mpi.Reduce(c, a, b, mpi.Sum, 0) }),
	"allreduce": reduction(func(c *mpi.Comm, a, b []float64) error { return mpi.Allreduce(c, a, b, mpi.Sum) }),
	"scan":      reduction(func(c *mpi.Comm, a, b []float64) error { return mpi.Scan(c, a, b, mpi.Sum) }),
	"exscan":    reduction(func(c *mpi.Comm, a, b []float64) error { return mpi.Exscan(c, a, b, mpi.Sum) }),
	"gather": func(s *session, n int) func() error {
		part, all := make([]float64, n), make([]float64, n*s.ranks)
		return func() error { return mpi.Gather(s.world, part, all, 0) }
	},
	"scatter": func(s *session, n int) func() error {
		part, all := make([]float64, n), make([]float64, n*s.ranks)
		return func() error { return mpi.Scatter(s.world, all, part, 0) }
	},
	"allgather": func(s *session, n int) func() error {
		part, all := make([]float64, n), make([]float64, n*s.ranks)
		return func() error { return mpi.Allgather(s.world, part, all) }
	},
	"alltoall": func(s *session, n int) func() error {
		out, in := make([]float64, n*s.ranks), make([]float64, n*s.ranks)
		return func() error { return mpi.Alltoall(s.world, out, in) }
	},
}

// Operations returns the names of the collective operations, sorted.
func Operations() []string { return slices.Sorted(maps.Keys(operations)) }

func reduction(call func(c *mpi.Comm, send, recv []float64) error) func(*session, int) func() error {
	return func(s *session, n int) func() error {
		send, recv := make([]float64, n), make([]float64, n)
		return func() error { return call(s.world, send, recv) }
	}
}

// oneWay are the operations from which some ranks return before others have their data. Such calls
// overlap with the next one, so that a sequence of calls measures a rate instead of a time.
var oneWay = []string{"bcast", "reduce", "scan", "exscan", "gather", "scatter"}

// collective measures a collective operation. If no rank returns from it before all have entered,
// its time is that of many calls by the clock of rank 0. Otherwise see measureApart.
func collective(s *session) (Figures, error) {
	make, known := operations[s.Operation]
	if !known {
		return nil, fmt.Errorf("%q is none of the operations %q", s.Operation, Operations())
	}
	call := make(s, s.Size/8)
	if slices.Contains(oneWay, s.Operation) {
		return measureApart(s, call)
	}
	span, err := s.measure(func(n int) error {
		if err := repeat(n, call); err != nil {
			return err
		}
		return s.world.Barrier() // includes the end of all calls
	})
	if err != nil {
		return nil, err
	}
	f := span.figures()
	f["operation_us"] = span.each()
	return f, nil
}

// measureApart measures calls with a barrier before each, so that they do not overlap. The time is
// the mean over the calls, at the rank where that is longest.
func measureApart(s *session, call func() error) (Figures, error) {
	var each float64 // of the last measurement, in microseconds
	span, err := s.measure(func(n int) error {
		var spent time.Duration
		for range n {
			if err := s.world.Barrier(); err != nil {
				return err
			}
			begun := time.Now()
			if err := call(); err != nil {
				return err
			}
			spent += time.Since(begun)
		}
		each = spent.Seconds() * 1e6 / float64(n)
		return s.world.Barrier() // includes the end of all calls
	})
	if err != nil {
		return nil, err
	}
	var longest [1]float64
	if err := mpi.Reduce(s.world, []float64{each}, longest[:], mpi.Max, 0); err != nil {
		return nil, err
	}
	f := span.figures()
	f["operation_us"] = longest[0]
	return f, nil
}
