// Command cg solves a large sparse system of linear equations, A·x = b, by the
// method of conjugate gradients. Each rank has a block of rows of the matrix and
// of the vectors. What a step needs of other ranks is the whole of one vector,
// and two dot products.
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
	n := flag.Int("n", 50, "the grid has n×n points, each an unknown")
	flag.Parse()
	err := mpi.Run(func(world *mpi.Comm) error {
		a := poisson(world, *n)
		// The solution is to be 1 everywhere, so b is the sum of each row.
		ones := make([]float64, (*n)*(*n))
		for i := range ones {
			ones[i] = 1
		}
		x, steps, err := a.solve(a.times(ones), 1e-10)
		if err != nil {
			return err
		}
		off := 0.0
		for _, v := range x {
			off = max(off, math.Abs(v-1))
		}
		if off, err = mpi.ReduceValue(world, off, mpi.Max, 0); err == nil && world.Rank() == 0 {
			fmt.Printf("%d unknowns on %d ranks: solved in %d steps\n", (*n)*(*n), world.Size(), steps)
			if off > 1e-6 {
				err = fmt.Errorf("but the solution is off by %g", off)
			}
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
}

// matrix is this rank's rows of a sparse matrix. Row i has the values from
// start[i] to start[i+1], in the given columns.
type matrix struct {
	world   *mpi.Comm
	layout  mpi.Layout // the rows of all ranks
	start   []int
	columns []int
	values  []float64
}

// poisson is the equation of a heated plate: each point times four, less its
// neighbours.
func poisson(world *mpi.Comm, n int) *matrix {
	size := world.Size()
	a := &matrix{world: world, layout: mpi.Layout{Counts: make([]int, size)}, start: []int{0}}
	for rank := range size {
		a.layout.Counts[rank] = n*n*(rank+1)/size - n*n*rank/size
	}
	first := n * n * world.Rank() / size
	for i := first; i < first+a.layout.Counts[world.Rank()]; i++ {
		add := func(column int, value float64, there bool) {
			if there {
				a.columns, a.values = append(a.columns, column), append(a.values, value)
			}
		}
		add(i, 4, true)
		add(i-n, -1, i >= n)
		add(i+n, -1, i < n*(n-1))
		add(i-1, -1, i%n > 0)
		add(i+1, -1, i%n < n-1)
		a.start = append(a.start, len(a.columns))
	}
	return a
}

// times returns this rank's part of a·v. It needs all of v.
func (a *matrix) times(v []float64) []float64 {
	product := make([]float64, len(a.start)-1)
	for i := range product {
		for j := a.start[i]; j < a.start[i+1]; j++ {
			product[i] += a.values[j] * v[a.columns[j]]
		}
	}
	return product
}

// dot returns this rank's part of a dot product.
func dot(v, w []float64) (sum float64) {
	for i := range v {
		sum += v[i] * w[i]
	}
	return sum
}

// solve returns this rank's part of the x for which a·x = b, with a residual
// that is shorter than b by the given factor. Sums over all ranks are the same to
// the last bit on all of them, so that they all take the same number of steps.
func (a *matrix) solve(b []float64, factor float64) (x []float64, steps int, err error) {
	rows := 0
	for _, n := range a.layout.Counts {
		rows += n
	}
	whole := make([]float64, rows)
	x, residual := make([]float64, len(b)), append([]float64(nil), b...)
	direction := append([]float64(nil), b...)
	square, err := mpi.AllreduceValue(a.world, dot(residual, residual), mpi.Sum)
	for enough := square * factor * factor; err == nil && square > enough && steps < rows; steps++ {
		if err := mpi.Allgatherv(a.world, direction, whole, a.layout); err != nil {
			return nil, 0, err
		}
		product := a.times(whole)
		curvature, err := mpi.AllreduceValue(a.world, dot(direction, product), mpi.Sum)
		if err != nil {
			return nil, 0, err
		}
		step := square / curvature
		for i := range residual {
			residual[i] -= step * product[i]
		}
		// The next sum is on its way while x, which it does not need, changes.
		part, sum := []float64{dot(residual, residual)}, []float64{0}
		reduction, err := mpi.Iallreduce(a.world, part, sum, mpi.Sum)
		if err != nil {
			return nil, 0, err
		}
		for i := range x {
			x[i] += step * direction[i]
		}
		if _, err := reduction.Wait(context.Background()); err != nil {
			return nil, 0, err
		}
		for i := range direction {
			direction[i] = residual[i] + sum[0]/square*direction[i]
		}
		square = sum[0]
	}
	return x, steps, err
}
