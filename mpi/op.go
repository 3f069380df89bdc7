package mpi

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/combine"
)

// Op combines two vectors of a reduction, element by element:
// left[i] = left[i] ∘ right[i]. Both have the same length; right must not be
// changed. The operation must be associative, and need not be commutative:
// elements are combined in the order of ranks (MPI 4.1, section 6.9.1), but in
// any by the operations of this package, which all commute, and by those that
// Commutative has declared.
// How they are grouped and ordered depends on operation, type, length and number of ranks
// only, so that floating-point results repeat to the bit from run to run and
// from host to host, and all ranks that get the same result get equal bits.
// Only where the grouping cannot be seen in the result does it depend on which
// ranks share a host: see also SCTPMPI_REPRODUCIBLE in docs/tuning.md.
//
// A function of the program is called only within calls of this package by the program, so
// a nonblocking reduction waits for such a call unless Background has declared
// the function. To wait for Request.Done is no such call.
//
// All ranks must pass the same operation. Where two of them pass different ones
// of this package, by their names, both get ErrOp. In a generic function of the
// program's own the operations of this package are not recognized.
type Op[T any] func(left, right []T)

// Integer is any integer type.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Ordered is any number type with an order.
type Ordered interface {
	Integer | ~float32 | ~float64
}

// Number is any number type.
type Number interface {
	Ordered | ~complex64 | ~complex128
}

// Truth is any type that has a value for false: false itself, or 0.
type Truth interface {
	~bool | Number
}

// Sum adds (MPI_SUM; section 6.9.2).
func Sum[T Number](left, right []T) { combine.Sum(left, right) }

// Prod multiplies (MPI_PROD).
func Prod[T Number](left, right []T) { combine.Prod(left, right) }

// Max takes the larger value, NaN if either is (MPI_MAX).
func Max[T Ordered](left, right []T) { combine.Max(left, right) }

// Min takes the smaller value, NaN if either is (MPI_MIN).
func Min[T Ordered](left, right []T) { combine.Min(left, right) }

// LogicalAnd is true where both are (MPI_LAND). For numbers, here and below, 0 is
// false and anything else is true; the result is 0 or 1.
func LogicalAnd[T Truth](left, right []T) { combine.LogicalAnd(left, right) }

// LogicalOr is true where one of the two is, or both are (MPI_LOR).
func LogicalOr[T Truth](left, right []T) { combine.LogicalOr(left, right) }

// LogicalXor is true where exactly one of the two is (MPI_LXOR).
func LogicalXor[T Truth](left, right []T) { combine.LogicalXor(left, right) }

// BitAnd is the bitwise and (MPI_BAND).
func BitAnd[T Integer](left, right []T) { combine.BitAnd(left, right) }

// BitOr is the bitwise or (MPI_BOR).
func BitOr[T Integer](left, right []T) { combine.BitOr(left, right) }

// BitXor is the bitwise exclusive or (MPI_BXOR).
func BitXor[T Integer](left, right []T) { combine.BitXor(left, right) }

// Located is a value and where it comes from, usually a rank, for MaxLoc and
// MinLoc (section 6.9.4).
type Located[T Ordered] struct {
	Value T
	Index int64
}

// MaxLoc takes the larger value with its index, the smaller index where
// values are equal (MPI_MAXLOC). NaN counts as the largest value.
func MaxLoc[T Ordered](left, right []Located[T]) { combine.MaxLoc(pairs(left), pairs(right)) }

// MinLoc takes the smaller value with its index, the smaller index where
// values are equal (MPI_MINLOC). NaN counts as the smallest value.
func MinLoc[T Ordered](left, right []Located[T]) { combine.MinLoc(pairs(left), pairs(right)) }

// pairs is located values as package combine knows them.
func pairs[T Ordered](l []Located[T]) []combine.Pair[T, int64] {
	return unsafe.Slice((*combine.Pair[T, int64])(unsafe.Pointer(unsafe.SliceData(l))), len(l))
}
