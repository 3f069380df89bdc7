package record

import "sync"

// Sizes of buffers, in bytes. What is read at a time goes into a large one. What is left of it, if it is short, waits in a
// small one.
const (
	large = 2 * (MaxPayload + Overhead)
	one   = MaxPayload + 2*Overhead
	small = 1 << 10
)

var (
	largeBuffers, oneBuffers, smallBuffers sync.Pool // of *[large]byte and so on
)

// take returns a buffer of one of the sizes.
func take(size int) []byte {
	switch size {
	case large:
		if b, ok := largeBuffers.Get().(*[large]byte); ok {
			return b[:]
		}
	case one:
		if b, ok := oneBuffers.Get().(*[one]byte); ok {
			return b[:]
		}
	case small:
		if b, ok := smallBuffers.Get().(*[small]byte); ok {
			return b[:]
		}
	}
	return make([]byte, size)
}

// giveBack takes a buffer that is not used any more. One of another size is left to the collector.
func giveBack(b []byte) {
	switch cap(b) {
	case large:
		largeBuffers.Put((*[large]byte)(b[:large]))
	case one:
		oneBuffers.Put((*[one]byte)(b[:one]))
	case small:
		smallBuffers.Put((*[small]byte)(b[:small]))
	}
}
