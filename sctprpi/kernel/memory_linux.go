package kernel

import (
	"sync"
	"sync/atomic"
)

// Payload is received into slabs, one piece behind the other. A slab is changed for
// another when it has less than slabRoom left.
const (
	slabSize = 256 << 10
	slabRoom = 64 << 10
)

// slab is memory that lies in events.
type slab struct {
	// loans counts the pieces that are lent, and one for the reader.
	loans atomic.Int32
	bytes [slabSize]byte
}

var slabs = sync.Pool{New: func() any { return new(slab) }}

func newSlab() *slab {
	s := slabs.Get().(*slab)
	s.loans.Store(1)
	return s
}

// Release gives one loan back.
func (s *slab) Release() {
	if s.loans.Add(-1) == 0 {
		slabs.Put(s)
	}
}

// whole is the memory of a message that was put together from pieces: one that is being
// received, or one that is kept.
type whole struct{ bytes []byte }

var wholes = sync.Pool{New: func() any { return new(whole) }}

// Release gives the loan back.
func (w *whole) Release() {
	w.bytes = w.bytes[:0]
	wholes.Put(w)
}
