package core

import (
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// imageSet implements collective.Images: the images of a collective operation, and which parts of them are loaded and stored.
type imageSet struct {
	images        []*image
	loads, stores []segment
}

// segment is a part of an image, and the memory that it is of.
type segment struct {
	Buffer
	at      []byte
	slotted bool // in slots instead of packed
}

var imageSets = sync.Pool{New: func() any { return new(imageSet) }}

// use says what an operation does with memory.
type use uint8

const (
	load use = 1 << iota
	store
)

// memory returns the memory of b for the schedule of o: its own, if that is one piece, or an image.
func memory(o *collective.Operation, b Buffer, u use) []byte {
	if piece, ok := b.Piece(); ok {
		return piece
	}
	return imaged(o, b, u)
}

// imaged is memory that is an image in any case. b has elements.
func imaged(o *collective.Operation, b Buffer, u use) []byte {
	m := imageOf(b, b.Len())
	imagesOf(o, m).add(segment{b, m.bytes, false}, u)
	return m.bytes
}

// memoryOf is memory of the parts that the layout has, as Layout.parts finds them.
func memoryOf(o *collective.Operation, b Buffer, l Layout, u use) []byte {
	if b.Type.Dense() {
		piece, _ := b.Piece()
		return piece
	}
	total := 0
	for _, n := range l.Counts {
		total += n
	}
	if total == 0 || b.Type.Size() == 0 {
		return nil
	}
	m := imageOf(b, total*int(b.Type.Size()))
	set, at := imagesOf(o, m), m.bytes
	for i := range l.Counts {
		if part := l.part(b, i); part.Count > 0 {
			set.add(segment{part, at[:part.Len()], false}, u)
			at = at[part.Len():]
		}
	}
	return m.bytes
}

// imagesOf returns the images of o, with m added.
func imagesOf(o *collective.Operation, m *image) *imageSet {
	set, ok := o.Images.(*imageSet)
	if !ok {
		set = imageSets.Get().(*imageSet)
		o.Images = set
	}
	set.images = append(set.images, m)
	return set
}

func (s *imageSet) add(g segment, u use) {
	if u&load != 0 {
		s.loads = append(s.loads, g)
	}
	if u&store != 0 {
		s.stores = append(s.stores, g)
	}
}

// Load implements collective.Images.
func (s *imageSet) Load() {
	for _, g := range s.loads {
		if g.slotted {
			g.spread(true)
		} else {
			g.Pack(g.at, 0)
		}
	}
}

// Store implements collective.Images.
func (s *imageSet) Store() {
	for _, g := range s.stores {
		if g.slotted {
			g.spread(false)
		} else {
			g.Unpack(0, g.at)
		}
	}
}

// Release implements collective.Images.
func (s *imageSet) Release() {
	for _, m := range s.images {
		m.release()
	}
	clear(s.images)
	clear(s.loads)
	clear(s.stores)
	s.images, s.loads, s.stores = s.images[:0], s.loads[:0], s.stores[:0]
	imageSets.Put(s)
}

// buffers sets the memory of the operation, and returns the builder of its schedule. If what the rank gives is a part of
// where its result goes, it is that in the schedule (MPI_IN_PLACE).
func buffers(o *collective.Operation, in, out Buffer) *schedule.Builder {
	return placed(o, memory(o, in, load), memory(o, out, store))
}

// placed is buffers of memory.
func placed(o *collective.Operation, in, out []byte) *schedule.Builder {
	o.In, o.Out = in, out
	b := o.Builder()
	if overlapping(o.In, o.Out) {
		b.InPlace(distance(o.In, o.Out))
	}
	return b
}
