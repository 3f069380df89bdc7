package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A whole program: mpirun -n 4 ./prog makes it four ranks. Without a launcher, as here, it is a world of one.
func ExampleRun() {
	mpi.Must(mpi.Run(func(world *mpi.Comm) error {
		sum, err := mpi.AllreduceValue(world, world.Rank()+1, mpi.Sum)
		if err == nil && world.Rank() == 0 {
			fmt.Printf("%d ranks, sum %d\n", world.Size(), sum)
		}
		return err
	}))
	// Output: 1 ranks, sum 1
}

// A test runs the ranks as goroutines. The errors of all ranks come back, each with its rank.
func ExampleRunLocal() {
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			return errors.New("no data")
		}
		return nil
	})
	fmt.Println(err)
	// Output: rank 1: no data
}

// A slice is received into one that is long enough. The status says how long the message is, and from whom.
func ExampleRecv() {
	mpi.Must(mpi.RunLocal(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []string4{{'a', 'b'}, {'c'}}, 1, 7)
		}
		buffer := make([]string4, 10)
		status, err := mpi.Recv(world, buffer, mpi.AnySource, mpi.AnyTag)
		fmt.Println(status.Count, status.Source, status.Tag)
		return err
	}))
	// Output: 2 0 7
}

type string4 [4]byte

// Requests are started, and waited for later: meanwhile the program computes.
func ExampleIrecv() {
	mpi.Must(mpi.RunLocal(2, func(world *mpi.Comm) error {
		other, got := 1-world.Rank(), make([]float64, 2)
		receive := mpi.Must1(mpi.Irecv(world, got, other, 0))
		send := mpi.Must1(mpi.Isend(world, []float64{1, 2}, other, 0))
		// ... compute ...
		mpi.Must1(mpi.WaitAll(context.Background(), receive, send))
		if world.Rank() == 0 {
			fmt.Println(got)
		}
		return nil
	}))
	// Output: [1 2]
}

// All ranks get what rank 0 has. The slices of all are equally long.
func ExampleBcast() {
	mpi.Must(mpi.RunLocal(3, func(world *mpi.Comm) error {
		settings := make([]int, 2)
		if world.Rank() == 0 {
			settings = []int{640, 480}
		}
		mpi.Must(mpi.Bcast(world, settings, 0))
		if world.Rank() == 2 {
			fmt.Println(settings)
		}
		return nil
	}))
	// Output: [640 480]
}

// Rank 0 deals out numbers, all square theirs, and rank 0 gathers the results.
func ExampleScatter() {
	mpi.Must(mpi.RunLocal(3, func(world *mpi.Comm) error {
		var all []int
		if world.Rank() == 0 {
			all = []int{1, 2, 3, 4, 5, 6}
		}
		mine := make([]int, 2)
		mpi.Must(mpi.Scatter(world, all, mine, 0))
		for i := range mine {
			mine[i] *= mine[i]
		}
		mpi.Must(mpi.Gather(world, mine, all, 0))
		if world.Rank() == 0 {
			fmt.Println(all)
		}
		return nil
	}))
	// Output: [1 4 9 16 25 36]
}

// The values of all ranks are combined, at rank 0.
func ExampleReduceValue() {
	mpi.Must(mpi.RunLocal(4, func(world *mpi.Comm) error {
		largest := mpi.Must1(mpi.ReduceValue(world, float64(world.Rank())*1.5, mpi.Max, 0))
		if world.Rank() == 0 {
			fmt.Println(largest)
		}
		return nil
	}))
	// Output: 4.5
}

// Rank 1 writes into the memory of rank 0, which calls nothing but the fences.
func ExampleWinCreate() {
	mpi.Must(mpi.RunLocal(2, func(world *mpi.Comm) error {
		memory := make([]int, 3)
		window := mpi.Must1(mpi.WinCreate(world, memory))
		mpi.Must(window.Fence())
		if world.Rank() == 1 {
			mpi.Must(window.Put([]int{7, 8}, 0, 1))
		}
		mpi.Must(window.Fence())
		if world.Rank() == 0 {
			fmt.Println(memory)
		}
		return window.Free()
	}))
	// Output: [0 7 8]
}

// A context bounds how long calls may wait.
func ExampleComm_WithContext() {
	mpi.Must(mpi.RunLocal(1, func(world *mpi.Comm) error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		_, _, err := mpi.RecvValue[int](world.WithContext(ctx), 0, 0) // which nothing sends
		fmt.Println(errors.Is(err, mpi.ErrCancelled), errors.Is(err, context.DeadlineExceeded))
		return nil
	}))
	// Output: true true
}

// Rank 2 dies. The others notice, agree on who lives, and go on.
func ExampleComm_Shrink() {
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		if world.Rank() == 2 {
			return errors.New("out of memory")
		}
		_, err := mpi.AllreduceValue(world, 1, mpi.Sum)
		if !errors.Is(err, mpi.ErrProcFailed) && !errors.Is(err, mpi.ErrRevoked) {
			return err
		}
		mpi.Must(world.Revoke()) // ranks that have not noticed yet leave their calls
		rest := mpi.Must1(world.Shrink())
		if sum := mpi.Must1(mpi.AllreduceValue(rest, 1, mpi.Sum)); rest.Rank() == 0 {
			fmt.Println("left:", sum)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// left: 2
	// rank 2: out of memory
}
