package core

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"runtime"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// watched is a transport that has the program's sends and receives find out whether the program changes their buffers before they have
// completed (SCTPMPI_CHECK=buffers; MPI 4.1, section 3.7.2). A process without the check has its transport as it is, so it costs nothing.
type watched struct{ rpi.Transport }

// Start implements rpi.Transport.
func (t *watched) Start(r *rpi.Request) {
	if r.Context&(rpi.Internal|collective.Messages) == 0 && len(r.Buf) > 0 && (r.Op == rpi.OpSend || r.Op == rpi.OpRecv) {
		keepOriginal(r)
	}
	t.Transport.Start(r)
}

// original is what a buffer had when its operation was started.
type original struct {
	memory Buffer
	before []byte   // all of it, nil if it is longer than maxCopied
	sums   []uint64 // of its blocks, if before is nil
	site   [32]uintptr
	depth  int
	done   bool // the outcome has been taken
}

// maxCopied is up to which length, in bytes, a copy is kept, so that the byte that has changed is known. Of longer buffers the block is.
const (
	maxCopied   = 1 << 20
	blockLength = 4 << 10
)

var blockSeed = maphash.MakeSeed()

// newOriginal returns what is remembered of a buffer, which packed has in the order of sending.
func newOriginal(memory Buffer, packed []byte) *original {
	o := &original{memory: memory}
	o.depth = runtime.Callers(2, o.site[:])
	if len(packed) <= maxCopied {
		o.before = bytes.Clone(packed)
		return o
	}
	for at := 0; at < len(packed); at += blockLength {
		o.sums = append(o.sums, maphash.Bytes(blockSeed, packed[at:min(at+blockLength, len(packed))]))
	}
	return o
}

// unchanged is the memory that is to be sent for the buffer's: the copy if there is one, so that the change does no more harm.
func (o *original) unchanged(memory []byte) []byte {
	if o.before != nil {
		return o.before
	}
	return memory
}

// bytesBuffer is memory as a buffer of bytes.
func bytesBuffer(b []byte) Buffer {
	return Buffer{unsafe.Pointer(unsafe.SliceData(b)), len(b), Basic(datatype.Packed)}
}

// keepOriginal gives r, which is about to start, an image that knows what its buffer has. What r receives lands in memory apart until its
// outcome is taken.
func keepOriginal(r *rpi.Request) {
	m, ok := r.Matcher.(*image)
	if ok {
		m.original = newOriginal(m.Buffer, m.packed(r.Op))
		return
	}
	t, ok := r.Matcher.(*matcher)
	if !ok {
		return
	}
	o := newOriginal(bytesBuffer(r.Buf), r.Buf)
	if r.Op == rpi.OpRecv {
		m = imageOf(Buffer{}, len(r.Buf))
		r.Buf = m.bytes
	} else {
		m, r.Buf = new(image), o.unchanged(r.Buf)
	}
	m.Buffer.Type, m.original, r.Matcher = (*Type)(t), o, m
}

// packed is what the buffer of m has, in the order of sending.
func (m *image) packed(op rpi.Op) []byte {
	if op == rpi.OpSend {
		return m.bytes
	}
	b := make([]byte, len(m.bytes))
	m.Pack(b, 0)
	return b
}

// settle takes the outcome of a request with an image that has an original: it looks at the buffer, and only then stores there what
// has been received. It does so once.
func (m *image) settle(r *rpi.Request) {
	o := m.original
	if o.done {
		return
	}
	o.done = true
	changed := o.check()
	if r.Op == rpi.OpRecv && r.Err == nil && !r.Status.Cancelled {
		o.memory.Unpack(0, m.bytes[:r.Status.Length])
	}
	if changed != nil && r.Err == nil {
		r.Err = changed
	}
}

// check returns an error if the buffer has changed.
func (o *original) check() error {
	length := o.memory.Len()
	now := make([]byte, min(blockLength, length))
	for at := 0; at < length; at += blockLength {
		now = now[:min(blockLength, length-at)]
		o.memory.Pack(now, at)
		if o.before == nil {
			if maphash.Bytes(blockSeed, now) != o.sums[at/blockLength] {
				return &changedError{original: o, at: at, length: len(now), of: fmt.Sprint(length)}
			}
			continue
		}
		for i, b := range now {
			if was := o.before[at+i]; was != b {
				return &changedError{original: o, at: at + i, length: 1, of: fmt.Sprint(length), was: was, is: b}
			}
		}
	}
	return nil
}
