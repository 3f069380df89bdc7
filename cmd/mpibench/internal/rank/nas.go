package rank

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/kernels"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// kernel runs one of the NAS Parallel Benchmarks once, and verifies it. The figures are the time as it counts, without set-up,
// and its rate; count, wall and processor time are those of the whole run.
func kernel(s *session) (Figures, error) {
	k, err := kernels.Find(s.Operation)
	if err != nil {
		return nil, err
	}
	class, err := kernels.ParseClass(s.Class)
	if err != nil {
		return nil, err
	}
	before, begun := s.used(), time.Now()
	result, err := k.Run(s.world, class)
	if err != nil {
		return nil, err
	}
	wall := time.Since(begun)
	for _, c := range result.Checks {
		if !c.OK() {
			return nil, fmt.Errorf("%s in class %v is wrong: %s %v, expected %v", k.Name, class, c.Name, c.Got, c.Want)
		}
	}
	mine, all := s.used().since(before), make([]usage, 1)
	if err := mpi.Reduce(s.world, mine[:], all[0][:], mpi.Sum, 0); err != nil || !s.first() {
		return nil, err
	}
	f := span{count: 1, wall: wall, used: all}.figures()
	f["time_s"], f["mops"] = result.Seconds, result.Mops()
	return f, nil
}
