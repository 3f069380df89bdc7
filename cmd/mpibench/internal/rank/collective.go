package rank

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// operations are the collective operations, with vectors of as many float64 as are in
// Size, for each rank where each has its own.
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

// Operations are the names of the collective operations.
func Operations() []string { return slices.Sorted(maps.Keys(operations)) }

func reduction(call func(c *mpi.Comm, send, recv []float64) error) func(*session, int) func() error {
	return func(s *session, n int) func() error {
		send, recv := make([]float64, n), make([]float64, n)
		return func() error { return call(s.world, send, recv) }
	}
}

// oneWay are the operations that some ranks leave before others have what they need: such
// calls overlap with the next, so that calls one after the other show a rate and no time.
var oneWay = []string{"bcast", "reduce", "scan", "exscan", "gather", "scatter"}

// collective measures an operation of all ranks. The time of one that no rank leaves before
// all have entered it is that of many calls, by the clock of the first. Before each call of
// another all ranks meet in a barrier, and its time is the mean of the rank that spends most
// in it.
func collective(s *session) (Figures, error) {
	make, known := operations[s.Operation]
	if !known {
		return nil, fmt.Errorf("%q is none of the operations %q", s.Operation, Operations())
	}
	call := make(s, s.Size/8)
	if slices.Contains(oneWay, s.Operation) {
		return apart(s, call)
	}
	span, err := s.measure(func(n int) error {
		for range n {
			if err := call(); err != nil {
				return err
			}
		}
		return s.world.Barrier() // all of them, to the end
	})
	if err != nil {
		return nil, err
	}
	f := span.figures()
	f["operation_us"] = span.each()
	return f, nil
}

// apart measures calls that begin together.
func apart(s *session, call func() error) (Figures, error) {
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
		return s.world.Barrier() // all of them, to the end
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
