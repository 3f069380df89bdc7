package file

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// Memory is what the program reads into or writes: count elements of a datatype at an address.
type Memory struct {
	Addr  unsafe.Pointer
	Count int64
	Type  *datatype.Type
	Err   error // what is wrong with it, nil if nothing is known to be
}

// stream is memory as the bytes of a message.
type stream struct {
	Memory
	size int64
	// dense is the bytes themselves if they lie in memory as they are sent, or if they are kept converted.
	dense     []byte
	converted bool
	packed    []byte // see bytes
}

// newStream is the stream of m, of which Bytes and Span have no error.
//
//go:nocheckptr
func newStream(m Memory) *stream {
	s := &stream{Memory: m, size: m.Count * m.Type.Size()}
	if disp, size, ok := m.Type.Block(m.Count); ok && size > 0 {
		s.dense = unsafe.Slice((*byte)(unsafe.Add(m.Addr, disp)), size)
	}
	return s
}

// encode has the stream be in external32 if the file is, where the elements have the same sizes as in memory. What is read
// replaces it, and decode brings it to memory; so what is not read keeps its value.
func (s *stream) encode(in call, rep Datarep) error {
	if rep != External32 || s.size == 0 {
		return nil
	}
	b := make([]byte, s.size)
	if _, err := s.Type.PackExternal(b, s.Addr, s.Count); err != nil {
		return refused(in.op(), err)
	}
	s.dense, s.converted = b, true
	return nil
}

func (s *stream) decode() error {
	if !s.converted {
		return nil
	}
	_, err := s.Type.UnpackExternal(s.Addr, s.Count, s.dense)
	return err
}

// bytes are those of the stream from from to to, in the program's memory or copied. They are valid until the next call.
func (s *stream) bytes(from, to int64) []byte {
	if s.dense != nil {
		return s.dense[from:to]
	}
	if int64(cap(s.packed)) < to-from {
		s.packed = make([]byte, to-from)
	}
	b := s.packed[:to-from]
	s.Type.Pack(b, s.Addr, s.Count, from)
	return b
}

// copyTo copies the bytes from from on to b.
func (s *stream) copyTo(b []byte, from int64) {
	if s.dense != nil {
		copy(b, s.dense[from:])
		return
	}
	s.Type.Pack(b, s.Addr, s.Count, from)
}

// set makes b the bytes from from on.
func (s *stream) set(from int64, b []byte) {
	if s.dense != nil {
		copy(s.dense[from:], b)
		return
	}
	s.Type.Unpack(s.Addr, s.Count, from, b)
}
