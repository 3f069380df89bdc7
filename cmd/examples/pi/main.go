// Command pi computes π as the integral of 4/(1+x²) from 0 to 1. Each rank takes
// a part of the intervals, and a reduction adds the parts.
package main

import (
	"flag"
	"fmt"
	"log"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func main() {
	log.SetFlags(0)
	intervals := flag.Int("intervals", 1_000_000, "into how many parts the integral is cut")
	flag.Parse()
	err := mpi.Run(func(world *mpi.Comm) error {
		pi, err := compute(world, *intervals)
		if err == nil && world.Rank() == 0 {
			fmt.Printf("%d ranks, %d intervals: π is about %.9f\n", world.Size(), *intervals, pi)
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
}

// compute returns π at rank 0. The intervals of other ranks are not used: rank 0
// tells them, as a program does that only one rank reads input for.
func compute(world *mpi.Comm, intervals int) (float64, error) {
	intervals, err := mpi.BcastValue(world, intervals, 0)
	if err != nil {
		return 0, err
	}
	// The midpoint rule. Rank r takes the intervals r, r+size, r+2·size and so
	// on, so that all have equally many.
	width, sum := 1/float64(intervals), 0.0
	for i := world.Rank(); i < intervals; i += world.Size() {
		x := (float64(i) + 0.5) * width
		sum += 4 / (1 + x*x)
	}
	return mpi.ReduceValue(world, sum*width, mpi.Sum, 0)
}
