// Command heat computes the temperature of a square plate of which the upper edge
// is hot and the others are cold. Each rank has a block of rows, and before each
// step neighbours exchange the rows at their borders: a halo exchange.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 40, "points in each direction")
	enough := flag.Float64("change", 1e-4, "a step that changes no temperature by more is the last one")
	flag.Parse()
	err := mpi.Run(func(world *mpi.Comm) error {
		plate, steps, err := heat(world, *n, *enough)
		if err == nil && world.Rank() == 0 {
			fmt.Printf("%d×%d points on %d ranks: after %d steps it is %.2f degrees in the middle\n",
				*n, *n, world.Size(), steps, plate[(*n/2)*(*n)+*n/2])
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
}

const hot = 100.0 // degrees; the other edges have 0

// heat returns the plate, n rows of n points, at rank 0, and how many steps it
// took until nothing changed any more.
func heat(world *mpi.Comm, n int, enough float64) (plate []float64, steps int, err error) {
	me, size := world.Rank(), world.Size()
	if n < size {
		return nil, 0, fmt.Errorf("%d rows of points cannot be shared by %d ranks", n, size)
	}
	first, last := n*me/size, n*(me+1)/size // this rank's rows
	rows := last - first
	// Row 0 and row rows+1 are the halo: the neighbours' rows, or the edge.
	old, temperature := make([]float64, (rows+2)*n), make([]float64, (rows+2)*n)
	row := func(i int) []float64 { return old[i*n : (i+1)*n] }

	// Ranks at the ends exchange with ProcNull, which does nothing.
	above, below := me-1, me+1
	if above < 0 {
		above = mpi.ProcNull
		for i := range n {
			old[i], temperature[i] = hot, hot
		}
	}
	if below == size {
		below = mpi.ProcNull
	}
	const up, down = 1, 2 // tags
	for change := math.Inf(1); change > enough; steps++ {
		if _, err := mpi.Sendrecv(world, row(1), above, up, row(rows+1), below, up); err != nil {
			return nil, 0, err
		}
		if _, err := mpi.Sendrecv(world, row(rows), below, down, row(0), above, down); err != nil {
			return nil, 0, err
		}
		// Jacobi: each point gets the mean of its four neighbours.
		change = 0
		for i := n; i < (rows+1)*n; i++ {
			var left, right float64
			if i%n > 0 {
				left = old[i-1]
			}
			if i%n < n-1 {
				right = old[i+1]
			}
			temperature[i] = (old[i-n] + old[i+n] + left + right) / 4
			change = max(change, math.Abs(temperature[i]-old[i]))
		}
		old, temperature = temperature, old
		if change, err = mpi.AllreduceValue(world, change, mpi.Max); err != nil {
			return nil, 0, err
		}
	}
	parts, err := mpi.GatherSlices(world, old[n:(rows+1)*n], 0)
	for _, part := range parts {
		plate = append(plate, part...)
	}
	return plate, steps, err
}
