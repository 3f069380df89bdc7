package wire

import (
	"iter"
	"math/bits"
)

// Numbers is a list of numbers in the form that it has on the wire: duplicate
// TSNs, stream identifiers, chunk types, parameter types.
type Numbers[T ~uint8 | ~uint16 | ~uint32] []byte

func (l Numbers[T]) size() int { return bits.Len32(uint32(^T(0))) / 8 }

// NumbersOf returns the list of those numbers.
func NumbersOf[T ~uint8 | ~uint16 | ~uint32](numbers ...T) Numbers[T] {
	var l Numbers[T]
	for _, n := range numbers {
		l = l.Append(n)
	}
	return l
}

// Len returns how many numbers there are.
func (l Numbers[T]) Len() int { return len(l) / l.size() }

// Append adds a number at the end.
func (l Numbers[T]) Append(n T) Numbers[T] {
	for shift := 8 * (l.size() - 1); shift >= 0; shift -= 8 {
		l = append(l, byte(n>>shift))
	}
	return l
}

// All walks the numbers in order.
func (l Numbers[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		size := l.size()
		for ; len(l) >= size; l = l[size:] {
			var n uint32
			for _, digit := range l[:size] {
				n = n<<8 | uint32(digit)
			}
			if !yield(T(n)) {
				return
			}
		}
	}
}

// Contains reports whether n is in the list.
func (l Numbers[T]) Contains(n T) bool {
	for m := range l.All() {
		if m == n {
			return true
		}
	}
	return false
}

// whole reports whether the list ends with a whole number.
func (l Numbers[T]) whole() bool { return len(l)%l.size() == 0 }
