package mpi_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Four ranks write a matrix of 4×6 numbers into one file: each has two rows and three columns of it. Then rank 0 reads
// a column.
func ExampleOpenFile() {
	folder, err := os.MkdirTemp("", "mpi")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	err = mpi.RunLocal(4, func(world *mpi.Comm) error {
		f, err := mpi.OpenFile(world, filepath.Join(folder, "matrix"), mpi.ReadWrite|mpi.Create, nil)
		if err != nil {
			return err
		}
		row, column := world.Rank()/2*2, world.Rank()%2*3
		block := mpi.ViewSubarray[int32](0, []int{4, 6}, []int{2, 3}, []int{row, column})
		if err := f.SetView(block); err != nil {
			return err
		}
		mine := make([]int32, 2*3)
		for i := range mine {
			mine[i] = int32(10*(row+i/3) + column + i%3)
		}
		if _, err := f.WriteAll(mpi.Elements(mine)); err != nil {
			return err
		}
		if err := f.SetView(mpi.ViewStrided[int32](4*5, 1, 6)); err != nil { // the last column
			return err
		}
		if world.Rank() == 0 {
			last := make([]int32, 4)
			if _, err := f.Read(mpi.Elements(last)); err != nil {
				return err
			}
			fmt.Println(last)
		}
		return f.Close()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [5 15 25 35]
}
