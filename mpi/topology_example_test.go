package mpi_test

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Six ranks form a grid of three rows and two columns. Each adds up its row.
func ExampleComm_CartCreate() {
	err := mpi.RunLocal(6, func(world *mpi.Comm) error {
		dims, err := mpi.Dims(world.Size(), 0, 0)
		if err != nil {
			return err
		}
		grid, err := world.CartCreate(dims, nil, true)
		if err != nil {
			return err
		}
		row, err := grid.CartSub(false, true)
		if err != nil {
			return err
		}
		sum, err := mpi.AllreduceValue(row, grid.Rank(), mpi.Sum)
		if err != nil {
			return err
		}
		if corner, err := grid.CartRank(2, 1); err != nil || grid.Rank() != corner {
			return err
		}
		coords, err := grid.CartCoords(grid.Rank())
		fmt.Println(dims, coords, sum)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [3 2] [2 1] 9
}

// A halo exchange: each rank has a part of a ring of numbers, and gets those at the borders of its neighbours.
func ExampleNeighborAlltoallv() {
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		ring, err := world.CartCreate([]int{world.Size()}, []bool{true}, true)
		if err != nil {
			return err
		}
		first := 10 * ring.Rank()
		part := []int{0, first + 1, first + 2, first + 3, 0} // between them those of the others
		borders := mpi.Layout{Counts: []int{1, 1}, Displs: []int{1, 3}}
		halo := mpi.Layout{Counts: []int{1, 1}, Displs: []int{0, 4}}
		if err := mpi.NeighborAlltoallv(ring, part, borders, part, halo); err != nil {
			return err
		}
		if ring.Rank() == 1 {
			fmt.Println(part)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [3 11 12 13 21]
}

// The children in a tree tell their parent a number.
func ExampleComm_DistGraphCreateAdjacent() {
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		children := mpi.Adjacent{}
		parent := mpi.Adjacent{Ranks: []int{0}}
		if world.Rank() == 0 {
			children, parent = mpi.Adjacent{Ranks: []int{1, 2}}, mpi.Adjacent{}
		}
		tree, err := world.DistGraphCreateAdjacent(children, parent, false) // from the children, to the parent
		if err != nil {
			return err
		}
		from := make([]int, len(children.Ranks))
		if err := mpi.NeighborAllgather(tree, []int{world.Rank() * 10}, from); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(from)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [10 20]
}
