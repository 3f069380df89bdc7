package mpi_test

import (
	"context"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Each rank integrates its share of 4/(1+x²) from 0 to 1; the sum over all
// ranks is π. A program has mpi.Run, and a launcher, in the place of RunLocal.
func Example() {
	const intervals = 1_000_000
	err := mpi.RunLocal(4, func(world *mpi.Comm) error {
		sum := 0.0
		for i := world.Rank(); i < intervals; i += world.Size() {
			x := (float64(i) + 0.5) / intervals
			sum += 4 / (1 + x*x)
		}
		pi := make([]float64, 1)
		if err := mpi.Allreduce(world, []float64{sum / intervals}, pi, mpi.Sum); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Printf("π is about %.9f, by %d ranks\n", pi[0], world.Size())
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: π is about 3.141592654, by 4 ranks
}

// A token goes around the ring of all ranks, and each adds its number.
func ExampleSend() {
	err := mpi.RunLocal(5, func(world *mpi.Comm) error {
		next := (world.Rank() + 1) % world.Size()
		previous := (world.Rank() - 1 + world.Size()) % world.Size()
		token := make([]int, 1)
		if world.Rank() > 0 {
			if _, err := mpi.Recv(world, token, previous, 0); err != nil {
				return err
			}
		}
		token[0] += world.Rank()
		if err := mpi.Send(world, token, next, 0); err != nil {
			return err
		}
		if world.Rank() > 0 {
			return nil
		}
		if _, err := mpi.Recv(world, token, previous, 0); err != nil {
			return err
		}
		fmt.Println(token[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 10
}

// The receiver need not know how long a message is. Elements may be structs.
func ExampleRecvSlice() {
	type particle struct {
		Position, Velocity [3]float64
		Charge             int32
	}
	err := mpi.RunLocal(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, make([]particle, 1000), 1, 7)
		}
		particles, status, err := mpi.RecvSlice[particle](world, mpi.AnySource, mpi.AnyTag)
		if err != nil {
			return err
		}
		fmt.Printf("%d particles from rank %d with tag %d\n", len(particles), status.Source, status.Tag)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 1000 particles from rank 0 with tag 7
}

// Rank 0 takes the answers of the others as they come.
func ExampleWaitAny() {
	err := mpi.RunLocal(4, func(world *mpi.Comm) error {
		if world.Rank() > 0 {
			answer, err := mpi.Isend(world, []int{world.Rank() * world.Rank()}, 0, 0)
			if err != nil {
				return err
			}
			_, err = answer.Wait(context.Background())
			return err
		}
		answers := make([]int, world.Size())
		reqs := make([]*mpi.Request, world.Size()) // the one of rank 0 stays nil
		for rank := 1; rank < world.Size(); rank++ {
			var err error
			if reqs[rank], err = mpi.Irecv(world, answers[rank:rank+1], rank, 0); err != nil {
				return err
			}
		}
		sum := 0
		for {
			rank, _, err := mpi.WaitAny(context.Background(), reqs...)
			if err != nil {
				return err
			}
			if rank < 0 { // all have been returned
				break
			}
			sum += answers[rank]
		}
		fmt.Println(sum)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 14
}

// An operation of one's own combines matrices, which do not commute: the order
// is that of the ranks.
func ExampleAllreduce() {
	type matrix [2][2]int
	multiply := func(left, right []matrix) {
		for i, b := range right {
			a := left[i]
			for r := range 2 {
				for c := range 2 {
					left[i][r][c] = a[r][0]*b[0][c] + a[r][1]*b[1][c]
				}
			}
		}
	}
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		product := []matrix{{{1, world.Rank()}, {1, 1}}}
		if err := mpi.Allreduce(world, product, product, multiply); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(product[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [[2 3] [4 6]]
}

// The ranks of a square grid make communicators of their rows.
func ExampleComm_Split() {
	err := mpi.RunLocal(4, func(world *mpi.Comm) error {
		row, err := world.Split(world.Rank()/2, world.Rank())
		if err != nil {
			return err
		}
		sum := make([]int, 1)
		if err := mpi.Reduce(row, []int{world.Rank()}, sum, mpi.Sum, 0); err != nil {
			return err
		}
		sums := make([]int, world.Size())
		if err := mpi.Gather(world, sum, sums, 0); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(sums[0], sums[2])
		}
		return row.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 1 5
}
