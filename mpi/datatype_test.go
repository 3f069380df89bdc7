package mpi

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/stretchr/testify/require"
)

type celsius float64

type point struct {
	X, Y float64
	ID   int32
}

type place struct { // the layout of point
	Pos struct{ North, East float64 }
	Nr  [1]int32
}

type otherPlace struct {
	North, East float64
	Nr          uint32
}

// A message of one type is received as any other that has the same numbers in the same order.
func TestSignatures(t *testing.T) {
	require.Same(t, datatypeOf[float64](), datatypeOf[celsius]())
	require.Same(t, datatypeOf[byte](), datatypeOf[uint8]())
	require.Same(t, datatypeOf[int64](), datatypeOf[int]())
	require.Same(t, datatypeOf[uint64](), datatypeOf[uint]())
	require.Equal(t, datatypeOf[point]().Signature(), datatypeOf[place]().Signature())
	require.Equal(t, datatypeOf[float64]().Signature(), datatypeOf[[2]float64]().Signature())

	different := []*core.Type{
		datatypeOf[bool](), datatypeOf[int8](), datatypeOf[uint8](), datatypeOf[int16](), datatypeOf[uint16](),
		datatypeOf[int32](), datatypeOf[uint32](), datatypeOf[float32](), datatypeOf[int64](), datatypeOf[uint64](),
		datatypeOf[float64](), datatypeOf[complex64](), datatypeOf[complex128](), datatypeOf[object](), datatypeOf[point](),
		datatypeOf[otherPlace](),
		datatypeOf[struct {
			A byte
			B int64
		}](), datatypeOf[struct {
			A int64
			B byte
		}](),
	}
	seen := map[uint32]string{}
	for _, d := range different {
		require.NoError(t, d.Err())
		require.NotContains(t, seen, uint32(d.Signature()), d.Name())
		seen[uint32(d.Signature())] = d.Name()
	}
}

// A view is the memory itself, not a copy.
func TestViewIsTheMemoryItself(t *testing.T) {
	v := []point{{1, 2, 3}, {4, 5, 6}}
	e := view(v)
	require.Equal(t, 2, e.Count)
	require.Equal(t, unsafe.Pointer(&v[0]), e.Addr)
	_, dense := e.Piece()
	require.False(t, dense, "a point has padding")
	numbers := []float64{1, 2}
	piece, dense := view(numbers).Piece()
	require.True(t, dense)
	cast[float64](piece)[1] = 9
	require.EqualValues(t, 9, numbers[1])
	piece, dense = view[int](nil).Piece()
	require.True(t, dense)
	require.Empty(t, piece)
	require.True(t, strings.HasPrefix(e.Type.Name(), "mpi."))
}
