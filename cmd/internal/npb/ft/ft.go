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
var Kernel = nas.Kernel{Name: "ft", About: "Fourier transforms in three dimensions", Ranks: nas.PowerOfTwo, Run: Run}

const (
	seed = 314159265
	// diffusivity is the factor of the heat equation.
	diffusivity = 1e-6
	// samples are the points of a checksum.
	samples = 1024
	// tolerance of the checksums, which is stricter than of other kernels.
	tolerance = 1e-12
)

// Run runs FT on all ranks of c, a power of two.
func Run(c *mpi.Comm, class nas.Class) (nas.Result, error) {
	p, ok := problems[class]
	if !ok {
		return nas.Result{}, fmt.Errorf("ft has no class %v", class)
	}
	if err := nas.PowerOfTwo(c.Size()); err != nil {
		return nas.Result{}, fmt.Errorf("ft runs %w", err)
	}
	if most := min(p.size[1], p.size[2]); c.Size() > most {
		return nas.Result{}, fmt.Errorf("ft runs in class %v on at most %d ranks, not on %d", class, most, c.Size())
	}
	s := newSolver(c, p.size)
	if _, err := s.checksums(1); err != nil { // not timed: it touches all memory and connects all ranks
		return nas.Result{}, err
	}
	var sums []complex128
	seconds, err := nas.Timed(c, func() (err error) {
		sums, err = s.checksums(len(p.checksums))
		return err
	})
	if err != nil {
		return nas.Result{}, err
	}
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
	}, nil
}

// checksums solves the equation from its beginning, and returns the checksums of the times 1, 2 … n.
func (s *solver) checksums(n int) ([]complex128, error) {
	s.begin()
	if err := s.forward(); err != nil {
		return nil, err
	}
	sums := make([]complex128, n)
	for i := range sums {
		s.evolve()
		if err := s.backward(); err != nil {
			return nil, err
		}
		var err error
		if sums[i], err = mpi.AllreduceValue(s.c, s.sample(), mpi.Sum); err != nil {
			return nil, err
		}
	}
	return sums, nil
}
