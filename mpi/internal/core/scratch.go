package core

import (
	"sync"
	"unsafe"
)

// scratch is memory for the intermediate results of one collective call. It
// is aligned for every element type, as are its parts at multiples of the
// element size.
type scratch struct {
	words []uint64
	bytes []byte // arbitrary contents
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// newScratch returns a scratch of the given length in bytes, to be given back
// with free.
func newScratch(length int) *scratch {
	s := scratches.Get().(*scratch)
	n := (length + 7) / 8
	if cap(s.words) < n {
		s.words = make([]uint64, n)
	}
	s.bytes = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s.words))), length)
	return s
}

func (s *scratch) free() { scratches.Put(s) }
