package rank

import "github.com/sctpmpi/sctpmpi/mpi"

// exchange is a bulk-synchronous program: each rank computes, then all sum up a vector. Its ranks
// make progress together or not at all. So it is slowed down by any other program on their cores.
func exchange(s *session) (Figures, error) {
	units := inUnits(s.Compute)
	mine, all := make([]byte, s.Size), make([]byte, s.Size)
	span, err := s.measure(func(n int) error {
		return repeat(n, func() error {
			compute(units)
			return mpi.Allreduce(s.world, mine, all, mpi.Sum)
		})
	})
	if err != nil {
		return nil, err
	}
	f := span.figures()
	f["step_us"] = span.each()
	return f, nil
}
