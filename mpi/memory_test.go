package mpi_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Long messages out of and into memory of AllocMem are copied faster on one host.
func ExampleAllocMem() {
	err := mpi.RunLocal(2, func(world *mpi.Comm) error {
		matrix, err := mpi.AllocMem[float64](1 << 17)
		if err != nil {
			return err
		}
		defer mpi.FreeMem(matrix)
		if world.Rank() == 0 {
			matrix[len(matrix)-1] = 42
			return mpi.Send(world, matrix, 1, 0)
		}
		if _, err := mpi.Recv(world, matrix, 0, 0); err != nil {
			return err
		}
		fmt.Println(matrix[len(matrix)-1])
		return nil
	})
	fmt.Println(err)
	// Output:
	// 42
	// <nil>
}

func TestAllocMem(t *testing.T) {
	t.Run("its memory is zero, and can be given back once", func(t *testing.T) {
		memory, err := mpi.AllocMem[int32](3 << 20)
		require.NoError(t, err)
		require.Len(t, memory, 3<<20)
		for _, v := range memory {
			require.Zero(t, v)
		}
		memory[0], memory[len(memory)-1] = 1, 2
		require.ErrorIs(t, mpi.FreeMem(memory[1:]), mpi.ErrArg, "no memory begins there")
		require.NoError(t, mpi.FreeMem(memory[:1]))
		require.EqualError(t, mpi.FreeMem(memory), "mpi.FreeMem: invalid argument: "+
			"the memory does not begin where AllocMem has made some, or has been given back before")
	})
	t.Run("memory of no elements", func(t *testing.T) {
		memory, err := mpi.AllocMem[byte](0)
		require.NoError(t, err)
		assert.Empty(t, memory)
		assert.NoError(t, mpi.FreeMem(memory))
	})
	t.Run("what cannot be", func(t *testing.T) {
		_, err := mpi.AllocMem[byte](-1)
		assert.ErrorIs(t, err, mpi.ErrCount)
		_, err = mpi.AllocMem[float64](math.MaxInt)
		assert.ErrorIs(t, err, mpi.ErrCount)
		_, err = mpi.AllocMem[*int](1)
		assert.ErrorIs(t, err, mpi.ErrType)
	})
}
