package handle

import (
	"sync"
	"sync/atomic"
)

// Table has the objects of a kind. Its methods may be called by several threads at once. None of them waits, but for a new
// chunk of slots. Use NewTable.
type Table[T any] struct {
	kind   Kind
	chunks [Limit / chunkSize]atomic.Pointer[[chunkSize]slot[T]]
	// free is the list of free slots: the index of the first one plus 1, and above it a number that each change
	// increases, so that a comparison does not take a list that has changed for the one before.
	free atomic.Uint64

	mu   sync.Mutex
	used uint32 // slots that have been used
}

const chunkSize = 1 << 10

type slot[T any] struct {
	object     atomic.Pointer[T]
	generation atomic.Uint32
	next       atomic.Uint32 // in the list of free slots, as there
}

// NewTable returns an empty table of a kind.
func NewTable[T any](k Kind) *Table[T] { return &Table[T]{kind: k} }

// Add gives an object a handle; 0 if there are Limit objects.
func (t *Table[T]) Add(object *T) Handle {
	h := t.Reserve()
	if h != 0 {
		t.Put(h, object)
	}
	return h
}

// Reserve takes a handle for an object that is yet to be made; 0 if there are Limit objects. Put or GiveBack follows. Until then the
// handle has no object.
func (t *Table[T]) Reserve() Handle {
	index, ok := t.take()
	if !ok {
		return 0
	}
	return pack(t.kind, t.at(index).generation.Load(), index)
}

// Put gives a handle that Reserve has returned its object.
func (t *Table[T]) Put(h Handle, object *T) { t.at(uint32(h) & (Limit - 1)).object.Store(object) }

// GiveBack ends the use of a handle that Reserve has returned, without an object.
func (t *Table[T]) GiveBack(h Handle) {
	index := uint32(h) & (Limit - 1)
	t.give(index, t.at(index))
}

// Get is the object with a handle, nil if there is none.
func (t *Table[T]) Get(h Handle) *T {
	generation, index, ok := unpack(t.kind, h)
	if !ok {
		return nil
	}
	s := t.at(index)
	if s == nil || s.generation.Load() != generation {
		return nil
	}
	return s.object.Load()
}

// Remove ends the use of a handle and returns its object, nil if it has none. Only one of several callers gets it.
func (t *Table[T]) Remove(h Handle) *T {
	generation, index, ok := unpack(t.kind, h)
	if !ok {
		return nil
	}
	s := t.at(index)
	if s == nil || s.object.Load() == nil || !s.generation.CompareAndSwap(generation, (generation+1)&generationMask) {
		return nil
	}
	object := s.object.Swap(nil)
	t.give(index, s)
	return object
}

// at is a slot, nil if it has never been used.
func (t *Table[T]) at(index uint32) *slot[T] {
	c := t.chunks[index/chunkSize].Load()
	if c == nil {
		return nil
	}
	return &c[index%chunkSize]
}

// take takes a free slot.
func (t *Table[T]) take() (index uint32, ok bool) {
	for {
		list := t.free.Load()
		first := uint32(list)
		if first == 0 {
			return t.grow()
		}
		if t.free.CompareAndSwap(list, changed(list, t.at(first-1).next.Load())) {
			return first - 1, true
		}
	}
}

// give puts a slot into the list of free ones.
func (t *Table[T]) give(index uint32, s *slot[T]) {
	for {
		list := t.free.Load()
		s.next.Store(uint32(list))
		if t.free.CompareAndSwap(list, changed(list, index+1)) {
			return
		}
	}
}

// changed is a list of free slots with another first one.
func changed(list uint64, first uint32) uint64 { return (list>>32+1)<<32 | uint64(first) }

// grow takes a slot that has never been used.
func (t *Table[T]) grow() (index uint32, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.used == Limit {
		return 0, false
	}
	index = t.used
	if c := &t.chunks[index/chunkSize]; c.Load() == nil {
		c.Store(new([chunkSize]slot[T]))
	}
	t.used++
	return index, true
}
