// Command matmul multiplies two matrices, of which each rank has a block of rows.
// A rank needs all of the second matrix for its rows of the product. It gets
// it block by block from the memory of the others, who take no part in that: the
// next block is on its way while the rank multiplies by the present one.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 300, "the matrices have n×n elements")
	flag.Parse()
	err := mpi.Run(func(world *mpi.Comm) error {
		first, rows := share(world, world.Rank(), *n)
		a, b := make([]float64, rows**n), make([]float64, rows**n)
		for i := range a {
			row, column := first + i / *n, i%*n
			a[i], b[i] = float64((row+column)%7), float64((row*column)%5)
		}
		product := multiply(world, *n, a, b)
		if trace := trace(world, *n, product); world.Rank() == 0 {
			fmt.Printf("%d×%d matrices on %d ranks: the product's trace is %.0f\n", *n, *n, world.Size(), trace)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
}

// share is which of n rows a rank has.
func share(world *mpi.Comm, rank, n int) (first, rows int) {
	first = n * rank / world.Size()
	return first, n*(rank+1)/world.Size() - first
}

// multiply returns this rank's rows of a·b, of which it has the same rows.
func multiply(world *mpi.Comm, n int, a, b []float64) []float64 {
	size, me := world.Size(), world.Rank()
	window := mpi.Must1(mpi.WinCreate(world, b))
	mpi.Must(window.LockAll())
	// Each rank begins with its own block, so that not all ask the same rank first.
	blocks := [2][]float64{make([]float64, (n/size+1)*n), make([]float64, (n/size+1)*n)}
	get := func(i int) *mpi.Request {
		owner := (me + i) % size
		_, rows := share(world, owner, n)
		return mpi.Must1(window.Rget(blocks[i%2][:rows*n], owner, 0))
	}
	product := make([]float64, len(a))
	next := get(0)
	for i := range size {
		mpi.Must1(next.Wait(context.Background()))
		if i+1 < size {
			next = get(i + 1)
		}
		first, rows := share(world, (me+i)%size, n)
		add(product, a, blocks[i%2][:rows*n], n, first)
	}
	mpi.Must(window.UnlockAll())
	mpi.Must(window.Free()) // which waits until no rank needs b any more
	return product
}

// add adds to the product what a block of rows of b, from the row first on, has
// to do with it.
func add(product, a, block []float64, n, first int) {
	for row := range len(a) / n {
		sums := product[row*n : (row+1)*n]
		for k := range len(block) / n {
			factor := a[row*n+first+k]
			for column, v := range block[k*n : (k+1)*n] {
				sums[column] += factor * v
			}
		}
	}
}

// trace returns, on rank 0, the sum of a matrix's diagonal. Each rank adds its part
// to a number of rank 0's.
func trace(world *mpi.Comm, n int, matrix []float64) (sum float64) {
	mine := 0
	if world.Rank() == 0 {
		mine = 1
	}
	window := mpi.Must1(mpi.WinAllocate[float64](world, mine))
	mpi.Must(window.Fence(mpi.NoPrecede))
	first, rows := share(world, world.Rank(), n)
	part := []float64{0}
	for i := range rows {
		part[0] += matrix[i*n+first+i]
	}
	mpi.Must(window.Accumulate(part, mpi.Sum, 0, 0))
	mpi.Must(window.Fence(mpi.NoSucceed))
	if mine > 0 {
		sum = window.Memory()[0]
	}
	mpi.Must(window.Free())
	return sum
}
