// Package ft is FT, the Fourier transform kernel of the NAS Parallel Benchmarks: the heat equation in three
// dimensions, solved by the transform of the beginning, a factor for each wave, and the transform back for each time.
// Each transform takes all values from all ranks to all, so FT measures Alltoall of long messages.
package ft

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Kernel is FT.
var Kernel = nas.New(nas.Kernel{Name: "ft", About: "Fourier transforms in three dimensions", Ranks: nas.PowerOfTwo}, problems, problem.mostRanks, run)

const (
	seed = 314159265
	// diffusivity is the factor of the heat equation.
	diffusivity = 1e-6
	// samples are the points of a checksum.
	samples = 1024
	// tolerance of the checksums, which is stricter than of other kernels.
	tolerance = 1e-12
)

func run(c *mpi.Comm, p problem) nas.Result {
	s := newSolver(c, p.size)
	s.checksums(1) // not timed: it touches all memory and connects all ranks
	var sums []complex128
	seconds := nas.Timed(c, func() { sums = s.checksums(len(p.checksums)) })
	last, worst := len(sums)-1, 0.
	for i, want := range p.checksums {
		worst = math.Max(worst, cmplx.Abs(sums[i]-want)/cmplx.Abs(want)) // not a number if one of them is not
	}
	return nas.Result{
		Size:       fmt.Sprintf("%d×%d×%d points", p.size[0], p.size[1], p.size[2]),
		Iterations: len(sums), Seconds: seconds, Operations: p.operations(),
		Checks: []nas.Check{
			{Name: "last checksum, real", Got: real(sums[last]), Want: real(p.checksums[last]), Tolerance: tolerance},
			{Name: "last checksum, imaginary", Got: imag(sums[last]), Want: imag(p.checksums[last]), Tolerance: tolerance},
			{Name: fmt.Sprintf("greatest error of %d checksums", len(sums)), Got: worst, Tolerance: tolerance},
		},
	}
}

// checksums solves the equation from its beginning, and returns the checksums of the times 1, 2 … n.
func (s *solver) checksums(n int) []complex128 {
	s.begin()
	s.forward()
	sums := make([]complex128, n)
	for i := range sums {
		s.evolve()
		s.backward()
		sums[i] = nas.Value(mpi.AllreduceValue(s.c, s.sample(), mpi.Sum))
	}
	return sums
}
