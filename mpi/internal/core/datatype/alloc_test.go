//go:build !race

package datatype

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Nothing on the way of a message allocates.
func TestNoAllocations(t *testing.T) {
	matrix := make([]float64, 100*100)
	memory := unsafe.Pointer(&matrix[0])
	for _, made := range []*Type{
		must(Vector(100, 1, 100, Basic(Float64))),
		must(Subarray([]int64{10, 10, 100}, []int64{5, 5, 3}, []int64{1, 2, 3}, OrderC, Basic(Float64))),
		must(Struct([]int64{1, 1}, []int64{0, 16}, []*Type{Basic(Float64), Basic(Int32)})),
	} {
		made.Commit()
		packed := make([]byte, made.Size())
		pieces := make([][]byte, 0, 200)
		require.Zero(t, testing.AllocsPerRun(100, func() {
			made.Pack(packed, memory, 1, 5)
			made.Unpack(memory, 1, 5, packed)
			pieces, _ = made.Gather(pieces[:0], memory, 1, 8, made.Size(), 200)
			made.Matches(made.Signature(), made.Size(), 1)
			made.Span(2)
		}), made.Name())
	}
}
