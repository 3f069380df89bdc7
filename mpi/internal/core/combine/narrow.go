package combine

import (
	"encoding/binary"
	"unsafe"
)

// sumNarrow returns the sum of integers of one or two bytes, of which several are added at a time.
func sumNarrow[T Integer]() Func {
	high := uint64(0x8080808080808080)
	if unsafe.Sizeof(T(0)) == 2 {
		high = 0x8000800080008000
	}
	return func(left, right []byte) {
		whole := len(left) &^ 7
		addWords(left[:whole], right, high)
		Sum(cast[T](left[whole:]), cast[T](right[whole:]))
	}
}

// addWords adds the integers in words of 8 bytes. high has the highest bit of each integer. It is left out of the addition of the words,
// so that nothing is carried into the next integer, and is added without a carry.
func addWords(left, right []byte, high uint64) {
	right = right[:len(left)]
	for ; len(left) >= 8; left, right = left[8:], right[8:] {
		l, r := binary.NativeEndian.Uint64(left), binary.NativeEndian.Uint64(right)
		binary.NativeEndian.PutUint64(left, (l&^high+r&^high)^(l^r)&high)
	}
}
