package combine

import (
	"reflect"
	"unsafe"
)

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

// Sum adds.
func Sum[T Number](left, right []T) {
	right = right[:len(left)]
	for i := range left {
		left[i] += right[i]
	}
}

// Prod multiplies.
func Prod[T Number](left, right []T) {
	right = right[:len(left)]
	for i := range left {
		left[i] *= right[i]
	}
}

// Max takes the larger value, NaN if either is.
func Max[T Ordered](left, right []T) {
	right = right[:len(left)]
	for i := range left {
		left[i] = max(left[i], right[i])
	}
}

// Min takes the smaller value, NaN if either is.
func Min[T Ordered](left, right []T) {
	right = right[:len(left)]
	for i := range left {
		left[i] = min(left[i], right[i])
	}
}

// LogicalAnd is true where both are. For numbers, here and below, 0 is false and anything else is true; the result is 0 or 1.
func LogicalAnd[T Truth](left, right []T) {
	no, yes := truths[T]()
	right = right[:len(left)]
	for i := range left {
		if left[i] != no && right[i] != no {
			left[i] = yes
		} else {
			left[i] = no
		}
	}
}

// LogicalOr is true where one of the two is, or both are.
func LogicalOr[T Truth](left, right []T) {
	no, yes := truths[T]()
	right = right[:len(left)]
	for i := range left {
		if left[i] != no || right[i] != no {
			left[i] = yes
		} else {
			left[i] = no
		}
	}
}

// LogicalXor is true where exactly one of the two is.
func LogicalXor[T Truth](left, right []T) {
	no, yes := truths[T]()
	right = right[:len(left)]
	for i := range left {
		if (left[i] != no) != (right[i] != no) {
			left[i] = yes
		} else {
			left[i] = no
		}
	}
}

// BitAnd is the bitwise and.
func BitAnd[T Integer](left, right []T) {
	right = right[:len(left)]
	for i := range left {
		left[i] &= right[i]
	}
}

// BitOr is the bitwise or.
func BitOr[T Integer](left, right []T) {
	right = right[:len(left)]
	for i := range left {
		left[i] |= right[i]
	}
}

// BitXor is the bitwise exclusive or.
func BitXor[T Integer](left, right []T) {
	right = right[:len(left)]
	for i := range left {
		left[i] ^= right[i]
	}
}

// Pair is a value and where it comes from.
type Pair[T, I Ordered] struct {
	Value T
	Index I
}

// MaxLoc takes the larger value with its index, the smaller index where values are equal. NaN counts as the largest value.
func MaxLoc[T, I Ordered](left, right []Pair[T, I]) {
	right = right[:len(left)]
	for i, r := range right {
		l := left[i]
		if exceeds(r.Value, l.Value) || !exceeds(l.Value, r.Value) && r.Index < l.Index {
			left[i] = r
		}
	}
}

// MinLoc takes the smaller value with its index, the smaller index where values are equal. NaN counts as the smallest value.
func MinLoc[T, I Ordered](left, right []Pair[T, I]) {
	right = right[:len(left)]
	for i, r := range right {
		l := left[i]
		if undercuts(r.Value, l.Value) || !undercuts(l.Value, r.Value) && r.Index < l.Index {
			left[i] = r
		}
	}
}

func exceeds[T Ordered](a, b T) bool { return a > b || a != a && b == b }

func undercuts[T Ordered](a, b T) bool { return a < b || a != a && b == b }

// truths returns false and true as a T: 0 and 1 if that is a number. There is no constant that stands for both.
func truths[T Truth]() (no, yes T) {
	where := unsafe.Pointer(&yes)
	switch t := reflect.TypeFor[T](); t.Kind() {
	case reflect.Float32, reflect.Complex64: // of which the real part comes first
		*(*float32)(where) = 1
	case reflect.Float64, reflect.Complex128:
		*(*float64)(where) = 1
	default:
		switch t.Size() {
		case 1: // bool too
			*(*uint8)(where) = 1
		case 2:
			*(*uint16)(where) = 1
		case 4:
			*(*uint32)(where) = 1
		case 8:
			*(*uint64)(where) = 1
		}
	}
	return no, yes
}
