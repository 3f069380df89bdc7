package ring

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

const wordSize = 8

// wordAt is the word at an offset of mem, a multiple of wordSize. It panics if mem ends before.
func wordAt(mem []byte, offset int) *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer((*[wordSize]byte)(mem[offset:])))
}

// Formats are what the first word of a ring and of an inbox say: what it is and its version, LineSize, and its size in
// bytes or ranks.
const (
	ringFormat  uint64 = 0x5201<<48 | LineSize<<32
	inboxFormat uint64 = 0x4902<<48 | LineSize<<32
)

// check says whether mem can hold what has a size.
func check(mem []byte, size int) error {
	if len(mem) != size || uintptr(unsafe.Pointer(unsafe.SliceData(mem)))%LineSize != 0 {
		return fmt.Errorf("%w: %d bytes at %p, want %d", ErrMemory, len(mem), mem, size)
	}
	return nil
}

func checkFormat(mem []byte, want uint64) error {
	if got := wordAt(mem, 0).Load(); got != want {
		return fmt.Errorf("%w: %#x, want %#x", ErrFormat, got, want)
	}
	return nil
}
