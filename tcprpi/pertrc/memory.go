package pertrc

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// memory keeps what messages need for the next ones, so that none allocates.
type memory struct {
	frames   *frame
	messages *message
	requests []*rpi.Request
	vectors  []*socket.Vector
	buffers  rpi.Buffers
	held     int // bytes of messages that the process holds itself
}

// frame is a message on its way: an envelope and the body, the user's memory.
type frame struct {
	header [matching.EnvelopeSize]byte
	body   []byte
	zeros  int // bytes to send in place of a body that was taken back
	r      *rpi.Request
	// started: some of it may have left. retracted: its sender wants it back,
	// and the receiver will not take it.
	started, retracted bool
	next               *frame
}

func (f *frame) len() int { return len(f.header) + len(f.body) + f.zeros }

func (m *memory) frame() *frame {
	f := m.frames
	if f == nil {
		return new(frame)
	}
	m.frames, f.next = f.next, nil
	return f
}

func (m *memory) freeFrame(f *frame) {
	*f = frame{next: m.frames}
	m.frames = f
}

func (m *memory) vector() *socket.Vector {
	if n := len(m.vectors); n > 0 {
		v := m.vectors[n-1]
		m.vectors = m.vectors[:n-1]
		return v
	}
	return new(socket.Vector)
}

func (m *memory) freeVector(v *socket.Vector) {
	v.Reset()
	m.vectors = append(m.vectors, v)
}

// get returns a slice of length n with arbitrary contents, which counts as
// held until it is given back; nil for 0.
func (m *memory) get(n int) []byte {
	m.held += n
	return m.buffers.Get(n)
}

// put takes back what get returned, at the same length.
func (m *memory) put(b []byte) {
	m.held -= len(b)
	m.buffers.Put(b)
}
