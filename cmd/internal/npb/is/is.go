// Package is is IS, the integer sort kernel of the NAS Parallel Benchmarks: keys of nearly normal
// distribution are ranked ten times, each time after two of them have changed. All keys go from
// rank to rank, so IS measures Alltoallv of long messages and the memory.
package is

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Kernel is IS.
var Kernel = nas.New(nas.Kernel{Name: "is", About: "integer sort in buckets", Ranks: nas.AnyRanks}, problems, nil, run)

const (
	seed       = 314159265
	iterations = 10
	tests      = 5
)

// problem is a class. Numbers are given as logarithms to base 2.
type problem struct {
	keys, greatest, buckets int
	// indices are of the keys whose ranks are published. The rank of key i in an iteration is
	// ranks[i] + sign[i]·(iteration - shift[i]).
	indices, ranks, sign, shift [tests]int
}

var problems = map[nas.Class]problem{
	'S': {
		16, 11, 9, [tests]int{48427, 17148, 23627, 62548, 4431}, [tests]int{0, 18, 346, 64917, 65463},
		[tests]int{1, 1, 1, -1, -1}, [tests]int{},
	},
	'W': {
		20, 16, 10, [tests]int{357773, 934767, 875723, 898999, 404505}, [tests]int{1249, 11698, 1039987, 1043896, 1048018},
		[tests]int{1, 1, -1, -1, -1}, [tests]int{2, 2, 0, 0, 0},
	},
	'A': {
		23, 19, 10, [tests]int{2112377, 662041, 5336171, 3642833, 4250760}, [tests]int{104, 17523, 123928, 8288932, 8388264},
		[tests]int{1, 1, 1, -1, -1}, [tests]int{1, 1, 1, 1, 1},
	},
	'B': {
		25, 21, 10, [tests]int{41869, 812306, 5102857, 18232239, 26860214}, [tests]int{33422937, 10244, 59149, 33135281, 99},
		[tests]int{-1, 1, 1, -1, 1}, [tests]int{},
	},
	'C': {
		27, 23, 10, [tests]int{44172927, 72999161, 74326391, 129606274, 21736814},
		[tests]int{61147, 882988, 266290, 133997595, 133525895}, [tests]int{1, 1, 1, -1, -1}, [tests]int{},
	},
}

// wanted is the published rank of test key i in an iteration.
func (p problem) wanted(i, iteration int) int { return p.ranks[i] + p.sign[i]*(iteration-p.shift[i]) }

func run(c *mpi.Comm, p problem) nas.Result {
	s := newSorter(c, p.keys, p.greatest, p.buckets)
	s.rank(1, p.indices) // not timed: it touches all memory and connects all ranks
	wrong := 0
	seconds := nas.Timed(c, func() {
		for iteration := 1; iteration <= iterations; iteration++ {
			for i, got := range s.rank(iteration, p.indices) {
				if got >= 0 && int(got) != p.wanted(i, iteration) {
					wrong++
				}
				if got >= 0 {
					s.tested++
				}
			}
		}
	})
	here := []int{s.tested, wrong, s.unordered(), s.mine}
	totals := make([]int, len(here))
	nas.Must(mpi.Allreduce(c, here, totals, mpi.Sum))
	return nas.Result{
		Size: fmt.Sprintf("2^%d keys below 2^%d", p.keys, p.greatest), Iterations: iterations,
		Seconds: seconds, Operations: iterations * float64(int(1)<<p.keys),
		Checks: []nas.Check{
			{Name: "ranks tested", Got: float64(totals[0]), Want: iterations * tests},
			{Name: "wrong ranks", Got: float64(totals[1])},
			{Name: "keys out of order", Got: float64(totals[2])},
			{Name: "keys sorted", Got: float64(totals[3]), Want: float64(int(1) << p.keys)},
		},
	}
}
