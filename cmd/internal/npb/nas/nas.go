// Package nas has what the NAS Parallel Benchmarks share: classes, random numbers, times, and how a
// kernel's values are verified and its result is told. The benchmarks are specified in NAS reports
// RNR-94-007 and NAS-95-020, of the NASA Ames Research Center.
package nas

import (
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Class is the size of a problem, a letter of Classes.
type Class byte

// Classes are all sizes, in ascending order. S is a sample that takes a second, W fits a workstation.
const Classes = "SWABC"

// String is the letter.
func (c Class) String() string { return string(rune(c)) }

// Kernel is one of the benchmarks.
type Kernel struct {
	// Name is that on the command line.
	Name string
	// About says in one line what is computed.
	About string
	// Ranks says whether the kernel runs on a number of ranks. The error completes "cg runs ".
	Ranks func(n int) error
	// Run is called by all ranks. All return the same Result.
	Run func(c *mpi.Comm, class Class) (Result, error)
}

// New makes a kernel. It has a problem of each class, which solve solves, on most(problem) ranks at most unless most is nil. An error that
// is passed to Must or Value meanwhile ends it, and is that of Run.
func New[P any](k Kernel, problems map[Class]P, most func(P) int, solve func(c *mpi.Comm, p P) Result) Kernel {
	k.Run = func(c *mpi.Comm, class Class) (r Result, err error) {
		p, ok := problems[class]
		if !ok {
			return r, fmt.Errorf("%s has no class %v", k.Name, class)
		}
		if err := k.Ranks(c.Size()); err != nil {
			return r, fmt.Errorf("%s runs %w", k.Name, err)
		}
		if most != nil && c.Size() > most(p) {
			return r, fmt.Errorf("%s runs in class %v on at most %d ranks, not on %d", k.Name, class, most(p), c.Size())
		}
		defer func() {
			if v := recover(); v != nil {
				f, ended := v.(failure)
				if !ended {
					panic(v)
				}
				err = f.error
			}
		}()
		return solve(c, p), nil
	}
	return k
}

// failure is what Must panics with.
type failure struct{ error }

// Must ends the run of a kernel with err unless that is nil: nothing can be computed after it.
func Must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Value returns v, and is Must if err is not nil.
func Value[T any](v T, err error) T {
	Must(err)
	return v
}

// Result is what a run of a kernel gives.
type Result struct {
	// Size is the size of the problem in words.
	Size string
	// Iterations are those that the time has.
	Iterations int
	// Seconds is the wall time of the slowest rank, without set-up and verification.
	Seconds float64
	// Operations are counted as the specification does for Mop/s.
	Operations float64
	// Checks are the values that are verified. A result without any is not verified.
	Checks []Check
}

// Verified says whether all values are right.
func (r Result) Verified() bool {
	for _, c := range r.Checks {
		if !c.OK() {
			return false
		}
	}
	return len(r.Checks) > 0
}

// Mops is the rate in millions of operations per second.
func (r Result) Mops() float64 { return r.Operations / r.Seconds / 1e6 }

// Check compares a value with the published one.
type Check struct {
	Name      string
	Got, Want float64
	// Tolerance is the greatest relative error, or 0 if the value must be exact.
	Tolerance float64
}

// Error is the relative error, or the absolute one where 0 is wanted.
func (c Check) Error() float64 {
	if c.Want == 0 {
		return math.Abs(c.Got)
	}
	return math.Abs((c.Got - c.Want) / c.Want)
}

// OK says whether the error is within the tolerance. Not a number is not.
func (c Check) OK() bool { return c.Error() <= c.Tolerance }

// Epsilon is the tolerance of most kernels.
const Epsilon = 1e-8

// Timed returns how long run takes in seconds on the slowest rank. All ranks begin together.
func Timed(c *mpi.Comm, run func()) (seconds float64) {
	Must(c.Barrier())
	begun := time.Now()
	run()
	return Value(mpi.AllreduceValue(c, time.Since(begun).Seconds(), mpi.Max))
}

// AnyRanks is the Ranks of a kernel that runs on any number.
func AnyRanks(int) error { return nil }

// PowerOfTwo is the Ranks of a kernel that runs on 1, 2, 4, 8 … ranks only.
func PowerOfTwo(n int) error {
	if bits.OnesCount(uint(n)) != 1 {
		return fmt.Errorf("on a power of two of ranks, not on %d", n)
	}
	return nil
}

// Share is the part of n things that rank has: those from first to before end. Shares differ by one
// at most.
func Share(n, ranks, rank int) (first, end int) { return n * rank / ranks, n * (rank + 1) / ranks }
