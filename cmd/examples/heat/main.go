// Command heat computes the temperature of a square plate of which the upper edge
// is hot and the others are cold. The ranks form a grid, and each has a block of the
// plate. Before each step neighbours exchange the rows and columns at their borders:
// a halo exchange.
package main

import (
	"context"
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
		plate, steps := heat(world, *n, *enough)
		if world.Rank() == 0 {
			fmt.Printf("%d×%d points on %d ranks: after %d steps it is %.2f degrees in the middle\n",
				*n, *n, world.Size(), steps, plate[(*n/2)*(*n)+*n/2])
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
}

const hot = 100.0 // degrees; the other edges have 0

// heat returns the plate, n rows of n points, at rank 0, and how many steps it
// took until nothing changed any more.
func heat(world *mpi.Comm, n int, enough float64) (plate []float64, steps int) {
	dims := mpi.Must1(mpi.Dims(world.Size(), 0, 0))
	if n < dims[0] {
		mpi.Must(fmt.Errorf("%d×%d points cannot be shared by %d×%d ranks", n, n, dims[0], dims[1]))
	}
	grid := mpi.Must1(world.CartCreate(dims, nil, true))
	coords := mpi.Must1(grid.CartCoords(grid.Rank()))
	_, _, rows, columns := block(n, dims, coords)
	// Around the block is the halo: the neighbours' points, or the edge.
	old := mpi.Matrix[float64]{Cells: make([]float64, (rows+2)*(columns+2)), Width: columns + 2}
	if coords[0] == 0 {
		for i := range old.Width {
			old.Cells[i] = hot
		}
	}
	temperature := mpi.Matrix[float64]{Cells: append([]float64{}, old.Cells...), Width: old.Width}
	for change := math.Inf(1); change > enough; steps++ {
		// The neighbours of a rank are those above, below, left and right of it, in this order.
		borders := []mpi.Data{old.Block(1, 1, 1, columns), old.Block(rows, 1, 1, columns), old.Block(1, 1, rows, 1), old.Block(1, columns, rows, 1)}
		halo := []mpi.Data{old.Block(0, 1, 1, columns), old.Block(rows+1, 1, 1, columns), old.Block(1, 0, rows, 1), old.Block(1, columns+1, rows, 1)}
		mpi.Must(mpi.NeighborAlltoallw(grid, borders, halo))
		change = mpi.Must1(mpi.AllreduceValue(grid, step(old, temperature), mpi.Max))
		old, temperature = temperature, old
	}
	return collect(grid, old.Block(1, 1, rows, columns), n, dims), steps
}

// block is where the block of a rank begins in the plate, and how large it is.
func block(n int, dims, coords []int) (row, column, rows, columns int) {
	row, column = n*coords[0]/dims[0], n*coords[1]/dims[1]
	return row, column, n*(coords[0]+1)/dims[0] - row, n*(coords[1]+1)/dims[1] - column
}

// step gives each point the mean of its four neighbours, and returns the largest change (Jacobi's method).
func step(old, temperature mpi.Matrix[float64]) (change float64) {
	w := old.Width
	for row := w; row < len(old.Cells)-w; row += w {
		for i := row + 1; i < row+w-1; i++ {
			temperature.Cells[i] = (old.Cells[i-w] + old.Cells[i+w] + old.Cells[i-1] + old.Cells[i+1]) / 4
			change = max(change, math.Abs(temperature.Cells[i]-old.Cells[i]))
		}
	}
	return change
}

// collect puts the blocks of all ranks together, at rank 0.
func collect(grid *mpi.Comm, mine mpi.Data, n int, dims []int) (plate []float64) {
	sent := mpi.Must1(mpi.IsendData(grid, mine, 0, 0))
	if grid.Rank() == 0 {
		plate = make([]float64, n*n)
		for rank := range grid.Size() {
			coords := mpi.Must1(grid.CartCoords(rank))
			whole := mpi.Matrix[float64]{Cells: plate, Width: n}
			mpi.Must1(mpi.RecvData(grid, whole.Block(block(n, dims, coords)), rank, 0))
		}
	}
	mpi.Must1(sent.Wait(context.Background()))
	return plate
}
