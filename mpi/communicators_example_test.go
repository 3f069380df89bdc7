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
