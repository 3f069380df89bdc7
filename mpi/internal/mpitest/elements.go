package mpitest

import (
	"math/rand/v2"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// elements are a type of elements: one at random, and the operations that reduce them. Numbers are such that no result is
// rounded.
type elements[T comparable] struct {
	name   string
	random func(r *rand.Rand) T
	ops    []mpi.Op[T]
}

// elementTypes are all of them. The operations stand here one by one because package mpi does not recognize its own in
// generic functions; the last one of int32 is of that kind, and so is one of the program.
var elementTypes = []interface {
	example(k collective, size int) exercise
}{
	elements[int8]{"int8", anyInteger[int8], []mpi.Op[int8]{
		mpi.Sum[int8], mpi.Prod[int8], mpi.Max[int8], mpi.Min[int8], mpi.BitAnd[int8], mpi.BitOr[int8], mpi.BitXor[int8], mpi.LogicalAnd[int8]}},
	elements[int16]{"int16", anyInteger[int16], []mpi.Op[int16]{
		mpi.Sum[int16], mpi.Prod[int16], mpi.Max[int16], mpi.Min[int16], mpi.BitAnd[int16], mpi.BitOr[int16], mpi.BitXor[int16], mpi.LogicalOr[int16]}},
	elements[int32]{"int32", anyInteger[int32], []mpi.Op[int32]{
		mpi.Sum[int32], mpi.Prod[int32], mpi.Max[int32], mpi.Min[int32], mpi.BitAnd[int32], mpi.BitOr[int32], mpi.BitXor[int32], mpi.LogicalXor[int32], plain[int32]()}},
	elements[int64]{"int64", anyInteger[int64], []mpi.Op[int64]{
		mpi.Sum[int64], mpi.Prod[int64], mpi.Max[int64], mpi.Min[int64], mpi.BitAnd[int64], mpi.BitOr[int64], mpi.BitXor[int64], mpi.LogicalAnd[int64]}},
	elements[uint8]{"uint8", anyInteger[uint8], []mpi.Op[uint8]{
		mpi.Sum[uint8], mpi.Prod[uint8], mpi.Max[uint8], mpi.Min[uint8], mpi.BitAnd[uint8], mpi.BitOr[uint8], mpi.BitXor[uint8], mpi.LogicalOr[uint8]}},
	elements[uint16]{"uint16", anyInteger[uint16], []mpi.Op[uint16]{
		mpi.Sum[uint16], mpi.Prod[uint16], mpi.Max[uint16], mpi.Min[uint16], mpi.BitAnd[uint16], mpi.BitOr[uint16], mpi.BitXor[uint16], mpi.LogicalXor[uint16]}},
	elements[uint32]{"uint32", anyInteger[uint32], []mpi.Op[uint32]{
		mpi.Sum[uint32], mpi.Prod[uint32], mpi.Max[uint32], mpi.Min[uint32], mpi.BitAnd[uint32], mpi.BitOr[uint32], mpi.BitXor[uint32]}},
	elements[uint64]{"uint64", anyInteger[uint64], []mpi.Op[uint64]{
		mpi.Sum[uint64], mpi.Prod[uint64], mpi.Max[uint64], mpi.Min[uint64], mpi.BitAnd[uint64], mpi.BitOr[uint64], mpi.BitXor[uint64]}},
	elements[float32]{"float32", smallNumber[float32], []mpi.Op[float32]{
		mpi.Sum[float32], mpi.Prod[float32], mpi.Max[float32], mpi.Min[float32], mpi.LogicalAnd[float32], mpi.LogicalOr[float32], mpi.LogicalXor[float32]}},
	elements[float64]{"float64", smallNumber[float64], []mpi.Op[float64]{
		mpi.Sum[float64], mpi.Prod[float64], mpi.Max[float64], mpi.Min[float64], mpi.LogicalAnd[float64], mpi.LogicalOr[float64], mpi.LogicalXor[float64]}},
	elements[complex64]{"complex64", func(r *rand.Rand) complex64 { return complex64(complexNumber(r)) }, []mpi.Op[complex64]{
		mpi.Sum[complex64], mpi.Prod[complex64], mpi.LogicalAnd[complex64], mpi.LogicalOr[complex64], mpi.LogicalXor[complex64]}},
	elements[complex128]{"complex128", complexNumber, []mpi.Op[complex128]{
		mpi.Sum[complex128], mpi.Prod[complex128], mpi.LogicalAnd[complex128], mpi.LogicalOr[complex128], mpi.LogicalXor[complex128]}},
	elements[bool]{"bool", func(r *rand.Rand) bool { return r.IntN(2) == 0 }, []mpi.Op[bool]{
		mpi.LogicalAnd[bool], mpi.LogicalOr[bool], mpi.LogicalXor[bool]}},
	elements[mpi.Located[int16]]{"located int16", located[int16], []mpi.Op[mpi.Located[int16]]{mpi.MaxLoc[int16], mpi.MinLoc[int16]}},
	elements[mpi.Located[float64]]{"located float64", located[float64], []mpi.Op[mpi.Located[float64]]{mpi.MaxLoc[float64], mpi.MinLoc[float64]}},
	elements[affine]{"affine map", func(r *rand.Rand) affine { return affine{r.Uint32(), r.Uint32()} }, []mpi.Op[affine]{
		compose, mpi.Background(compose)}},
	elements[[3]int64]{"three int64", func(r *rand.Rand) [3]int64 { return [3]int64{r.Int64(), 1, r.Int64()} }, []mpi.Op[[3]int64]{
		addThree, mpi.Commutative(addThree), mpi.Background(mpi.Commutative(addThree))}},
}

func anyInteger[T mpi.Integer](r *rand.Rand) T { return T(r.Uint64()) }

func smallNumber[T float32 | float64](r *rand.Rand) T { return T(r.IntN(5) - 2) }

func complexNumber(r *rand.Rand) complex128 {
	return complex(smallNumber[float64](r)/2, smallNumber[float64](r)/2)
}

func located[T int16 | float64](r *rand.Rand) mpi.Located[T] {
	return mpi.Located[T]{Value: T(r.IntN(4)), Index: int64(r.IntN(20))}
}

func plain[T mpi.Integer]() mpi.Op[T] { return mpi.Sum[T] }

// affine is a map x → A·x + B. Maps are composed in the order of ranks, or the result is another one.
type affine struct{ A, B uint32 }

func compose(left, right []affine) {
	for i, r := range right {
		left[i] = affine{left[i].A * r.A, left[i].B*r.A + r.B}
	}
}

func addThree(left, right [][3]int64) {
	for i, r := range right {
		for j, v := range r {
			left[i][j] += v
		}
	}
}
