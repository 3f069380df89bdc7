package main

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func Example() {
	for _, ranks := range []int{1, 2, 5} {
		if err := mpi.RunLocal(ranks, ring); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// a ring of one rank: start more of them with mpirun
	// 2 hops, sum 1
	// 4 hops, sum 2
	// 6 hops, sum 3
	// 5 hops, sum 10
	// 10 hops, sum 20
	// 15 hops, sum 30
}
