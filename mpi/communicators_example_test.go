package mpi_test

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// The even ranks get a communicator of their own, the last one first.
func ExampleComm_Create() {
	err := mpi.RunLocal(5, func(world *mpi.Comm) error {
		even, err := world.Group().IncludeRanges(mpi.Range{First: 4, Last: 0, Stride: -2})
		if err != nil {
			return err
		}
		c, err := world.Create(even)
		if err != nil || c == nil { // the odd ranks get none
			return err
		}
		first, err := mpi.BcastValue(c, world.Rank(), 0)
		if err != nil {
			return err
		}
		if c.Rank() == 2 {
			fmt.Printf("rank %d of the world is rank %d of %d; rank 0 is %d of the world\n", world.Rank(), c.Rank(), c.Size(), first)
		}
		return c.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 of the world is rank 2 of 3; rank 0 is 4 of the world
}

// Rank 0 is a manager, a group of its own, which has a number for the workers, the other group.
func ExampleComm_CreateIntercomm() {
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		manager := world.Rank() == 0
		color, other := 0, 1 // other is the rank of the other group's leader in the world
		if !manager {
			color, other = 1, 0
		}
		group, err := world.Split(color, 0)
		if err != nil {
			return err
		}
		inter, err := group.CreateIntercomm(0, world, other, 0)
		if err != nil {
			return err
		}
		number, root := 0, 0 // to the workers, rank 0 of the other group is the root
		if manager {
			number, root = 42, mpi.Root
		}
		if number, err = mpi.BcastValue(inter, number, root); err != nil {
			return err
		}
		all, err := inter.Merge(manager) // the manager comes last
		if err != nil {
			return err
		}
		sum, err := mpi.ReduceValue(all, number, mpi.Sum, all.Size()-1)
		if manager {
			fmt.Printf("%d workers; rank %d of %d has the sum %d\n", inter.RemoteSize(), all.Rank(), all.Size(), sum)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 2 workers; rank 2 of 3 has the sum 126
}

// A library keeps what it needs with a communicator, and gives it up when the program frees that.
func ExampleNewKey() {
	type state struct{ calls int }
	key := mpi.NewKey(nil, func(_ *mpi.Comm, s *state) error {
		fmt.Println("calls:", s.calls)
		return nil
	})
	library := func(c *mpi.Comm) error {
		s, ok, err := key.Get(c)
		if err != nil {
			return err
		}
		if !ok {
			s = new(state)
			if err := key.Set(c, s); err != nil {
				return err
			}
		}
		s.calls++
		return nil
	}
	err := mpi.RunLocal(1, func(world *mpi.Comm) error {
		c, err := world.Dup()
		if err != nil {
			return err
		}
		for range 3 {
			if err := library(c); err != nil {
				return err
			}
		}
		return c.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: calls: 3
}
