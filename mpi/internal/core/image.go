package core

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// image is the packed form of a buffer whose memory is not one piece: what is sent for it, or what has been received. Its
// memory comes from a pool.
type image struct {
	Buffer
	bytes    []byte
	original *original // of a request of which it is kept, else nil
}

// Matches implements rpi.Matcher: the matcher of a request with an image is the image.
func (m *image) Matches(sent matching.Type, length, room uint64) bool {
	return (*matcher)(m.Type).Matches(sent, length, room)
}

// images has unused images by the size of their memory: powers of two from smallestImage on. Larger ones are not kept.
var images [imageClasses]sync.Pool

const (
	smallestImage = 6 // as a power of two
	largestImage  = 24
	imageClasses  = largestImage - smallestImage + 1
)

// imageOf returns an image of b with n bytes of arbitrary contents.
func imageOf(b Buffer, n int) *image {
	class := max(bits.Len(uint(n-1)), smallestImage) - smallestImage
	if class >= imageClasses {
		return &image{Buffer: b, bytes: make([]byte, n)}
	}
	m, ok := images[class].Get().(*image)
	if !ok {
		m = &image{bytes: make([]byte, 1<<(class+smallestImage))}
	}
	m.Buffer, m.bytes = b, m.bytes[:n]
	return m
}

// release gives m back. It is not used any more.
func (m *image) release() {
	m.Buffer, m.original = Buffer{}, nil
	if class := bits.Len(uint(cap(m.bytes)-1)) - smallestImage; class < imageClasses {
		images[class].Put(m)
	}
}

// attach gives r the memory of b, or an image of it.
func attach(r *rpi.Request, b Buffer) {
	t := b.Type
	if plain := t.Plain(); plain != nil && r.Peer != procNull {
		r.Type, r.Elem = matching.Type(plain.Signature), plain.Item
		r.Buf, r.Matcher = unsafe.Slice((*byte)(b.Addr), b.Count*plain.Size), (*matcher)(t)
		return
	}
	r.Type, r.Elem = signature(t), int(t.Item())
	if r.Peer != procNull {
		attachParts(r, b)
	}
}

// attachParts is attach for memory that may have gaps.
func attachParts(r *rpi.Request, b Buffer) {
	if piece, ok := b.Piece(); ok {
		r.Buf, r.Matcher = piece, (*matcher)(b.Type)
		return
	}
	m := imageOf(b, b.Len())
	r.Buf, r.Matcher = m.bytes, m
}

// pack packs what r sends, if that is not one piece of memory.
func pack(r *rpi.Request) {
	if m, ok := r.Matcher.(*image); ok {
		m.load(r)
	}
}

func (m *image) load(r *rpi.Request) {
	if r.Op == rpi.OpSend {
		m.Pack(m.bytes, 0)
	}
}

// unpack unpacks what r has received, if its buffer is not one piece of memory. r has completed; this is done once, or again if there
// is an original.
func unpack(r *rpi.Request) {
	if m, ok := r.Matcher.(*image); ok {
		m.store(r)
	}
}

func (m *image) store(r *rpi.Request) {
	if m.original != nil {
		m.settle(r)
		return
	}
	if r.Op == rpi.OpRecv && r.Err == nil && !r.Status.Cancelled {
		m.Unpack(0, m.bytes[:r.Status.Length])
	}
}

// typeOf is the type of the elements of r, which has a buffer.
func typeOf(r *rpi.Request) *Type {
	switch m := r.Matcher.(type) {
	case *image:
		return m.Type
	case *matcher:
		return (*Type)(m)
	}
	return Basic(datatype.Packed)
}

// detach takes from r, which has completed, what attach has given.
func detach(r *rpi.Request) {
	releaseImage(r)
	r.Buf, r.Matcher = nil, nil
}

// releaseImage gives the image of r back, if there is one. r is then to be Reset.
func releaseImage(r *rpi.Request) {
	if m, ok := r.Matcher.(*image); ok {
		m.release()
	}
}
