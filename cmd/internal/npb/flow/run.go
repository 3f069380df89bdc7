package flow

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Problem is a class of a benchmark that uses a partition, with the published norms.
type Problem struct {
	Points, Iterations int
	Step               float64 // of time
	Norms              Norms
}

// mostRanks is how many ranks can share the grid: each block has at least two points in each direction, as a border has.
func (p Problem) mostRanks() int { return (p.Points / border) * (p.Points / border) }

// Partitioned is a benchmark that uses a partition.
type Partitioned struct {
	Name, About string
	Problems    map[nas.Class]Problem
	// Operations are those of one iteration with n points in each direction, by the count of NAS.
	Operations func(n float64) float64
	// New returns what does some steps of time, each by sweeps through the grid.
	New func(grid *Partition, p Problem) (solve func(steps int))
}

// Kernel is the benchmark as a kernel, which runs on a square of ranks.
func (b Partitioned) Kernel() nas.Kernel {
	return nas.New(nas.Kernel{Name: b.Name, About: b.About, Ranks: Squares}, b.Problems, Problem.mostRanks, b.run)
}

func (b Partitioned) run(c *mpi.Comm, p Problem) nas.Result {
	grid := NewPartition(c, p.Points)
	defer grid.Free()
	solve := b.New(grid, p)
	solve(1) // not timed: it touches all memory and connects all ranks
	grid.Reset()
	seconds := nas.Timed(c, func() { solve(p.Iterations) })
	grid.Differ()
	return nas.Result{
		Size: fmt.Sprintf("%d×%[1]d×%[1]d points", p.Points), Iterations: p.Iterations, Seconds: seconds,
		Operations: float64(p.Iterations) * b.Operations(float64(p.Points)), Checks: Measure(c, grid.Blocks, true).Checks(p.Norms),
	}
}
