// Package mg is MG, the multigrid kernel of the NAS Parallel Benchmarks: Poisson's equation on a periodic cube, solved by
// cycles that go from the finest grid to the coarsest and back. Ranks exchange the borders of their parts on each grid,
// so MG measures messages of many lengths between neighbours, and the memory.
package mg

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Kernel is MG.
var Kernel = nas.New(nas.Kernel{Name: "mg", About: "multigrid for Poisson's equation", Ranks: nas.PowerOfTwo}, problems, problem.mostRanks, run)

// operations are those of each point in an iteration, by the count of NAS.
const operations = 58

// problem is a class, with the published norm of the last residual.
type problem struct {
	log2       int // of the points in each direction
	iterations int
	smoother   weights
	norm       float64
}

// Of smoothers there are two, one for the larger classes.
var (
	smaller = weights{-3. / 8, 1. / 32, -1. / 64, 0}
	larger  = weights{-3. / 17, 1. / 33, -1. / 61, 0}
)

var problems = map[nas.Class]problem{
	'S': {5, 4, smaller, 5.307707005734e-5},
	'W': {7, 4, smaller, 6.467329375339e-6},
	'A': {8, 4, smaller, 2.433365309069e-6},
	'B': {8, 20, larger, 1.800564401355e-6},
	'C': {9, 20, larger, 5.706732285740e-7},
}

func run(c *mpi.Comm, p problem) nas.Result {
	s := newSolver(c, p)
	defer s.free()
	s.solve(1) // not timed: it touches all memory and connects all ranks
	var norm float64
	seconds := nas.Timed(c, func() { norm = s.solve(p.iterations) })
	n := 1 << p.log2
	return nas.Result{
		Size: fmt.Sprintf("%d×%d×%d points", n, n, n), Iterations: p.iterations,
		Seconds: seconds, Operations: operations * float64(p.iterations) * float64(n*n*n),
		Checks: []nas.Check{{Name: "residual", Got: norm, Want: p.norm, Tolerance: nas.Epsilon}},
	}
}
