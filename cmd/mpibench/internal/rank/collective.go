package rank

import (
	"fmt"
	"maps"
	"slices"

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

// collective repeats an operation of all ranks, by the clock of the first. As nothing
// keeps the ranks together but the operation itself, those in which some have no need to
// wait, such as bcast, overlap with their next.
func collective(s *session) (Figures, error) {
	make, known := operations[s.Operation]
	if !known {
		return nil, fmt.Errorf("%q is none of the operations %q", s.Operation, Operations())
	}
	call := make(s, s.Size/8)
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
