// Package cg is CG, the conjugate gradient kernel of the NAS Parallel Benchmarks: an estimate of the
// eigenvalue of a large sparse matrix, by inverse iteration. Ranks form a grid, each with a block of
// the matrix. CG measures irregular access to memory, and short and long messages in turn.
package cg

import (
	"fmt"
	"math"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Kernel is CG.
var Kernel = nas.New(nas.Kernel{Name: "cg", About: "conjugate gradients on a sparse matrix", Ranks: nas.PowerOfTwo}, problems, nil, run)

const (
	seed = 314159265
	// condition is the reciprocal of the matrix's condition number, without its shift.
	condition = 0.1
	// steps are those of the conjugate gradient method in each iteration.
	steps = 25
	// tolerance of zeta, which is stricter than of other kernels.
	tolerance = 1e-10
)

// problem is a class, with the published zeta.
type problem struct {
	order, nonzero, iterations int
	shift, zeta                float64
}

var problems = map[nas.Class]problem{
	'S': {1400, 7, 15, 10, 8.5971775078648},
	'W': {7000, 8, 15, 12, 10.362595087124},
	'A': {14000, 11, 15, 20, 17.130235054029},
	'B': {75000, 13, 75, 60, 22.712745482631},
	'C': {150000, 15, 75, 110, 28.973605592845},
}

// operations are those of all iterations, by the count of NAS.
func (p problem) operations() float64 {
	n := float64(p.nonzero * (p.nonzero + 1))
	return 2 * float64(p.iterations*p.order) * (3 + n + steps*(5+n) + 3)
}

func run(c *mpi.Comm, p problem) nas.Result {
	s := newSolver(c, p)
	defer s.row.Free()
	s.estimate(1) // not timed: it touches all memory and connects all ranks
	var zeta, residual float64
	seconds := nas.Timed(c, func() { zeta, residual = s.estimate(p.iterations) })
	return nas.Result{
		Size: fmt.Sprintf("order %d", p.order), Iterations: p.iterations, Seconds: seconds, Operations: p.operations(),
		Checks: []nas.Check{
			{Name: "zeta", Got: zeta, Want: p.zeta, Tolerance: tolerance},
			{Name: "last residual", Got: residual, Tolerance: nas.Epsilon},
		},
	}
}

// estimate returns zeta and the last residual after some iterations, beginning with a vector of ones.
func (s *solver) estimate(iterations int) (zeta, residual float64) {
	for i := range s.x {
		s.x[i] = 1
	}
	for range iterations {
		residual = s.solve()
		norms := s.sum(dot(s.x, s.z), dot(s.z, s.z))
		zeta = s.shift + 1/norms[0]
		scale := 1 / math.Sqrt(norms[1])
		for i, z := range s.z[:len(s.x)] {
			s.x[i] = scale * z
		}
	}
	return zeta, residual
}
