package kernel

import (
	"sync"
	"sync/atomic"
)

// Payload is received into slabs, one piece after the other. A slab is replaced when it has less
// than slabRoom left.
const (
	slabSize = 256 << 10
	slabRoom = 64 << 10
)

// slab is memory for the payloads of events.
type slab struct {
	// loans counts the references of events, and one of the reader.
	loans atomic.Int32
	bytes [slabSize]byte
}

var slabs = sync.Pool{New: func() any { return new(slab) }}

func newSlab() *slab {
	s := slabs.Get().(*slab)
	s.loans.Store(1)
	return s
}

// Release gives up one reference.
func (s *slab) Release() {
	if s.loans.Add(-1) == 0 {
		slabs.Put(s)
	}
}

// whole is the memory of a message that was put together from pieces, while it is received or kept.
type whole struct{ bytes []byte }

var wholes = sync.Pool{New: func() any { return new(whole) }}

// Release gives up the reference.
func (w *whole) Release() {
	w.bytes = w.bytes[:0]
	wholes.Put(w)
}
