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

// Partitioned is a benchmark that uses a partition.
type Partitioned struct {
	Name     string
	Problems map[nas.Class]Problem
	// Operations are those of one iteration with n points in each direction, by the count of NAS.
	Operations func(n float64) float64
	// New returns what does some steps of time, each by sweeps through the grid.
	New func(grid *Partition, p Problem) (solve func(steps int) error)
}

// Run runs a benchmark on all ranks of c, a square.
func (b Partitioned) Run(c *mpi.Comm, class nas.Class) (nas.Result, error) {
	p, ok := b.Problems[class]
	if !ok {
		return nas.Result{}, fmt.Errorf("%s has no class %v", b.Name, class)
	}
	if err := Squares(c.Size()); err != nil {
		return nas.Result{}, fmt.Errorf("%s runs %w", b.Name, err)
	}
	if most := MostRanks(p.Points); c.Size() > most {
		return nas.Result{}, fmt.Errorf("%s runs in class %v on at most %d ranks, not on %d", b.Name, class, most, c.Size())
	}
	grid, err := NewPartition(c, p.Points)
	if err != nil {
		return nas.Result{}, err
	}
	defer grid.Free()
	solve := b.New(grid, p)
	if err := solve(1); err != nil { // not timed: it touches all memory and connects all ranks
		return nas.Result{}, err
	}
	grid.Reset()
	seconds, err := nas.Timed(c, func() error { return solve(p.Iterations) })
	if err != nil {
		return nas.Result{}, err
	}
	if err := grid.Differ(); err != nil {
		return nas.Result{}, err
	}
	norms, err := Measure(c, grid.Blocks, true)
	if err != nil {
		return nas.Result{}, err
	}
	return nas.Result{
		Size: fmt.Sprintf("%d×%[1]d×%[1]d points", p.Points), Iterations: p.Iterations, Seconds: seconds,
		Operations: float64(p.Iterations) * b.Operations(float64(p.Points)), Checks: norms.Checks(p.Norms),
	}, nil
}
