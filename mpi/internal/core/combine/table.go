package combine

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// Func combines two vectors, element by element: left = left ∘ right. It does not change right. Elements of up
// to 8 bytes are aligned; longer ones, which are Foreign's, may be anywhere.
type Func = func(left, right []byte)

// Foreign is asked for the operations on kinds for which Go has no arithmetic, such as long double. A face whose language has
// them sets it before it uses this package. It returns nil for an operation that there is not.
var Foreign func(r collective.Reduction, k datatype.Kind) Func

// For returns the operation r on elements of kind k, nil if there is none. Which ones there are is in the standard's table (section
// 6.9.2), and besides, as in other libraries: logical operations on all numbers, and all of integers on characters of C.
// Replace and NoOp, which only windows have, are not here.
func For(r collective.Reduction, k datatype.Kind) Func {
	filled.Do(fill)
	if int(r) >= len(table) || int(k) >= len(table[r]) {
		return nil
	}
	if f := table[r][k]; f != nil || Foreign == nil || !foreign(k) {
		return f
	}
	return Foreign(r, k)
}

// foreign reports whether Go has no arithmetic for a kind.
func foreign(k datatype.Kind) bool {
	switch k {
	case datatype.Int128, datatype.Float16, datatype.LongDouble, datatype.Float128, datatype.Complex32,
		datatype.LongDoubleComplex, datatype.Complex256, datatype.Logical16, datatype.LongDoubleInt:
		return true
	}
	return false
}

// Exact reports whether r groups elements of kind k as it likes, to the bit.
func Exact(r collective.Reduction, k datatype.Kind) bool {
	value, _, pair := k.Pair()
	switch {
	case pair:
		return !inexact(value) // of equal values, such as 0 and -0, the first one stays
	case r == collective.Sum || r == collective.Prod:
		return !inexact(k)
	}
	return true
}

func inexact(k datatype.Kind) bool {
	switch k {
	case datatype.Float16, datatype.Float32, datatype.Float64, datatype.LongDouble, datatype.Float128,
		datatype.Complex32, datatype.Complex64, datatype.Complex128, datatype.LongDoubleComplex, datatype.Complex256:
		return true
	}
	return false
}

// table has the operations by reduction and kind. It is filled when it is first asked for: filled at the start, each program would have
// the code of all operations.
var (
	table  [collective.MinLoc + 1][datatype.Kinds]Func
	filled sync.Once
)

func fill() {
	add := func(r collective.Reduction, k datatype.Kind, f Func) { table[r][k] = f }
	integers[int8](add, datatype.Int8)
	integers[int16](add, datatype.Int16)
	integers[int32](add, datatype.Int32)
	integers[int64](add, datatype.Int64)
	integers[int64](add, datatype.Long)
	integers[uint8](add, datatype.Uint8)
	integers[uint16](add, datatype.Uint16)
	integers[uint32](add, datatype.Uint32)
	integers[uint64](add, datatype.Uint64)
	integers[uint64](add, datatype.Ulong)
	switch runtime.GOARCH {
	case "386", "amd64": // where char has a sign
		integers[int8](add, datatype.Char)
	default:
		integers[uint8](add, datatype.Char)
	}
	bits[uint8](add, datatype.Byte)
	ordered[float32](add, datatype.Float32)
	ordered[float64](add, datatype.Float64)
	numbers[complex64](add, datatype.Complex64)
	numbers[complex128](add, datatype.Complex128)
	truth[uint8](add, datatype.Bool) // memory of C may hold other numbers than 0 and 1
	truth[uint8](add, datatype.Logical1)
	truth[uint16](add, datatype.Logical2)
	truth[uint32](add, datatype.Logical4)
	truth[uint64](add, datatype.Logical8)
	pairs[float32, int32](add, datatype.FloatInt)
	pairs[float64, int32](add, datatype.DoubleInt)
	pairs[int64, int32](add, datatype.LongInt)
	pairs[int32, int32](add, datatype.TwoInt)
	pairs[int16, int32](add, datatype.ShortInt)
	pairs[float32, float32](add, datatype.TwoFloat)
	pairs[float64, float64](add, datatype.TwoDouble)
	pairs[int8, int64](add, datatype.LocatedInt8)
	pairs[int16, int64](add, datatype.LocatedInt16)
	pairs[int32, int64](add, datatype.LocatedInt32)
	pairs[int64, int64](add, datatype.LocatedInt64)
	pairs[uint8, int64](add, datatype.LocatedUint8)
	pairs[uint16, int64](add, datatype.LocatedUint16)
	pairs[uint32, int64](add, datatype.LocatedUint32)
	pairs[uint64, int64](add, datatype.LocatedUint64)
	pairs[float32, int64](add, datatype.LocatedFloat32)
	pairs[float64, int64](add, datatype.LocatedFloat64)
}

type adder func(r collective.Reduction, k datatype.Kind, f Func)

func integers[T Integer](add adder, k datatype.Kind) {
	ordered[T](add, k)
	bits[T](add, k)
	if unsafe.Sizeof(T(0)) <= 2 {
		add(collective.Sum, k, sumNarrow[T]())
	}
}

func bits[T Integer](add adder, k datatype.Kind) {
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

func pairs[T, I Ordered](add adder, k datatype.Kind) {
	if unsafe.Sizeof(Pair[T, I]{}) != uintptr(datatype.Basic(k).Extent()) {
		return // some processors with 32 bits align 8 bytes otherwise
	}
	add(collective.MaxLoc, k, onBytes(MaxLoc[T, I]))
	add(collective.MinLoc, k, onBytes(MinLoc[T, I]))
}

func onBytes[T any](f func(left, right []T)) Func {
	return func(left, right []byte) { f(cast[T](left), cast[T](right)) }
}

// cast returns b as elements.
func cast[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
