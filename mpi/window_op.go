package mpi

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// Replace takes the right value (MPI_REPLACE; MPI 4.1, section 12.3.4): Accumulate with it is a Put that is atomic for each
// element. It is for one-sided operations.
func Replace[T any](left, right []T) { copy(left, right) }

// NoOp keeps the left value (MPI_NO_OP; section 12.3.4): GetAccumulate and FetchAndOp with it are a Get that is atomic for each
// element. It is for one-sided operations.
func NoOp[T any]([]T, []T) {}

// combiners has what a target does for origins: by operation and kind.
var combiners = func() (all [collective.NoOp][datatype.Complex128 + 1]func(left, right []byte)) {
	add := func(r collective.Reduction, k datatype.Kind, combine func(left, right []byte)) { all[r][k] = combine }
	integers[int8](add, datatype.Int8)
	integers[int16](add, datatype.Int16)
	integers[int32](add, datatype.Int32)
	integers[int64](add, datatype.Int64)
	integers[uint8](add, datatype.Uint8)
	integers[uint16](add, datatype.Uint16)
	integers[uint32](add, datatype.Uint32)
	integers[uint64](add, datatype.Uint64)
	ordered[float32](add, datatype.Float32)
	ordered[float64](add, datatype.Float64)
	numbers[complex64](add, datatype.Complex64)
	numbers[complex128](add, datatype.Complex128)
	truth[bool](add, datatype.Bool)
	return all
}()

type adder func(r collective.Reduction, k datatype.Kind, combine func(left, right []byte))

func integers[T Integer](add adder, k datatype.Kind) {
	ordered[T](add, k)
	add(collective.BitAnd, k, onBytes(BitAnd[T]))
	add(collective.BitOr, k, onBytes(BitOr[T]))
	add(collective.BitXor, k, onBytes(BitXor[T]))
}

func ordered[T Ordered](add adder, k datatype.Kind) {
	numbers[T](add, k)
	add(collective.Max, k, onBytes(Max[T]))
	add(collective.Min, k, onBytes(Min[T]))
}

func numbers[T Number](add adder, k datatype.Kind) {
	truth[T](add, k)
	add(collective.Sum, k, onBytes(Sum[T]))
	add(collective.Prod, k, onBytes(Prod[T]))
}

func truth[T Truth](add adder, k datatype.Kind) {
	add(collective.LogicalAnd, k, onBytes(LogicalAnd[T]))
	add(collective.LogicalOr, k, onBytes(LogicalOr[T]))
	add(collective.LogicalXor, k, onBytes(LogicalXor[T]))
}

// combiner is a window.Combiner.
func combiner(r collective.Reduction, k datatype.Kind) func(left, right []byte) {
	if int(r) >= len(combiners) || int(k) >= len(combiners[r]) {
		return nil
	}
	return combiners[r][k]
}
