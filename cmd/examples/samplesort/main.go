// Command samplesort sorts numbers of which each rank has a part. Samples tell
// where to cut, so that each rank gets a range of values, about as many as the
// others; then every rank sends every other one what belongs to it.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 1_000_000, "how many numbers there are in all")
	flag.Parse()
	err := mpi.Run(func(world *mpi.Comm) error {
		me, size := world.Rank(), world.Size()
		random := rand.New(rand.NewPCG(1, uint64(me)))
		numbers := make([]float64, *n*(me+1)/size-*n*me/size)
		for i := range numbers {
			numbers[i] = random.NormFloat64()
		}
		return check(world, sortAll(world, numbers), *n)
	})
	if err != nil {
		log.Fatal(err)
	}
}

// sortAll sorts the numbers of all ranks. It returns the part of this rank, which
// has no larger number than that of the next rank.
func sortAll[T cmp.Ordered](world *mpi.Comm, numbers []T) []T {
	const oversampling = 32 // the more, the more equal are the parts
	size := world.Size()
	slices.Sort(numbers)
	samples := make([]T, 0, oversampling)
	for i := range min(oversampling, len(numbers)) {
		samples = append(samples, numbers[len(numbers)*i/min(oversampling, len(numbers))])
	}
	samples = slices.Concat(mpi.Must1(mpi.AllgatherSlices(world, samples))...)
	slices.Sort(samples)

	// Part i of what this rank has is for rank i. They are cut, not copied.
	parts := make([][]T, size)
	for i := range parts {
		cut := len(numbers)
		if i < size-1 && len(samples) > 0 {
			cut, _ = slices.BinarySearch(numbers, samples[len(samples)*(i+1)/size])
		}
		parts[i], numbers = numbers[:cut], numbers[cut:]
	}
	mine := slices.Concat(mpi.Must1(mpi.AlltoallSlices(world, parts))...)
	slices.Sort(mine)
	return mine
}

// check checks the order, with one message between neighbours, and tells how
// equal the parts are.
func check(world *mpi.Comm, mine []float64, n int) error {
	largest := math.Inf(-1)
	if len(mine) > 0 {
		largest = mine[len(mine)-1]
	}
	before := mpi.Must1(mpi.ExscanValue(world, largest, mpi.Max))
	sorted := slices.IsSorted(mine) && (world.Rank() == 0 || len(mine) == 0 || before <= mine[0])
	sorted = mpi.Must1(mpi.AllreduceValue(world, sorted, mpi.LogicalAnd))
	counts := mpi.Must1(mpi.GatherValues(world, len(mine), 0))
	if world.Rank() > 0 {
		return nil
	}
	total := 0
	for _, count := range counts {
		total += count
	}
	if !sorted || total != n {
		return fmt.Errorf("%d of %d numbers are left, sorted: %v", total, n, sorted)
	}
	fmt.Printf("%d ranks have sorted %d numbers; the largest part is %.2f of the mean one\n",
		world.Size(), n, float64(slices.Max(counts))*float64(world.Size())/float64(n))
	return nil
}
