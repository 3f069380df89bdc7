// Package ep is EP, the embarrassingly parallel kernel of the NAS Parallel Benchmarks: pairs of
// Gaussian random numbers by the polar method, their sums, and how many lie in each square annulus.
// Ranks communicate in the end only, so EP measures the arithmetic.
package ep

import (
	"fmt"
	"math"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Kernel is EP.
var Kernel = nas.New(nas.Kernel{Name: "ep", About: "Gaussian pairs, embarrassingly parallel", Ranks: nas.AnyRanks}, problems, nil, run)

const (
	seed = 271828183
	// batch is the number of pairs that are made at a time, 2^16.
	batchLog2 = 16
	batch     = 1 << batchLog2
	// annuli are those that pairs are counted in: |x| or |y|, the greater, lies between l and l+1.
	annuli = 10
)

// problem is a class, with the published sums.
type problem struct {
	log2   int // of the number of pairs
	sx, sy float64
	pairs  float64 // those accepted
}

var problems = map[nas.Class]problem{
	'S': {24, -3.247834652034740e3, -6.958407078382297e3, 13176389},
	'W': {25, -2.863319731645753e3, -6.320053679109499e3, 26354769},
	'A': {28, -4.295875165629892e3, -1.580732573678431e4, 210832767},
	'B': {30, 4.033815542441498e4, -2.660669192809235e4, 843345606},
	'C': {32, 4.764367927995374e4, -8.084072988043731e4, 3373275903},
}

func run(c *mpi.Comm, p problem) nas.Result {
	var sums Sums
	seconds := nas.Timed(c, func() { sums = nas.Value(All(c, p.log2)) })
	return nas.Result{
		Size: fmt.Sprintf("2^%d pairs", p.log2), Iterations: 1,
		Seconds: seconds, Operations: math.Ldexp(1, p.log2+1),
		Checks: []nas.Check{
			{Name: "sum of x", Got: sums.X, Want: p.sx, Tolerance: nas.Epsilon},
			{Name: "sum of y", Got: sums.Y, Want: p.sy, Tolerance: nas.Epsilon},
			{Name: "pairs accepted", Got: sums.Pairs(), Want: p.pairs},
		},
	}
}

// Sums are what EP computes. Counts are of annuli.
type Sums struct {
	X, Y   float64
	Counts [annuli]float64
}

// Pairs is the number of pairs in all annuli.
func (s Sums) Pairs() (n float64) {
	for _, count := range s.Counts {
		n += count
	}
	return n
}

// add is the reduction of Sums.
func add(left, right []Sums) {
	for i := range left {
		left[i].X += right[i].X
		left[i].Y += right[i].Y
		for l := range left[i].Counts {
			left[i].Counts[l] += right[i].Counts[l]
		}
	}
}

// All makes 2^log2 pairs on all ranks, of which each makes its share of the batches.
func All(c *mpi.Comm, log2 int) (Sums, error) {
	first, end := nas.Share(1<<(log2-batchLog2), c.Size(), c.Rank())
	var sums Sums
	random := nas.Random(seed)
	random.Skip(uint64(first) * 2 * batch)
	for range end - first {
		random = sums.pairs(random, batch)
	}
	return mpi.AllreduceValue(c, sums, add)
}

// pairs makes n pairs, and returns the generator after them. The numbers of a pair come from two
// sequences, each every second number of the generator's, so that the processor can make both at
// the same time.
func (s *Sums) pairs(random nas.Random, n int) nas.Random {
	const (
		twice = nas.Multiplier * nas.Multiplier & nas.Mask
		// scale makes 2·x/2^46 of x.
		scale = 2. / nas.Modulus
	)
	second := uint64(random)
	first := second * nas.Power(nas.Multiplier, nas.Modulus/4-1) & nas.Mask // the number before: the period is 2^44
	sx, sy := s.X, s.Y
	for range n {
		first, second = first*twice&nas.Mask, second*twice&nas.Mask
		x, y := float64(int64(first))*scale-1, float64(int64(second))*scale-1
		// The conversion forbids a fused operation, which would accept other pairs.
		square := float64(x*x) + float64(y*y)
		if square > 1 {
			continue
		}
		factor := math.Sqrt(-2 * math.Log(square) / square)
		x, y = x*factor, y*factor
		sx, sy = sx+x, sy+y
		// No pair is outside: sqrt(-2·ln 2^-92) is less than 12, and less than 10 for any of the generator's.
		if l := int(max(math.Abs(x), math.Abs(y))); uint(l) < annuli {
			s.Counts[l]++
		}
	}
	s.X, s.Y = sx, sy
	return nas.Random(second)
}
