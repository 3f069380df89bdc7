package rpi

import "math/bits"

// Buffers keeps byte slices for messages that have to be copied, so that they are used again. Their
// sizes are powers of two from 64 bytes. It keeps 16 MiB at most. The zero Buffers is empty.
type Buffers struct {
	classes [64][][]byte
	kept    int // bytes in all classes
}

const (
	smallestBuffer = 64
	keptBuffers    = 16 << 20 // bytes that are kept for later at the most
)

func class(n int) int { return bits.Len(uint(max(n, smallestBuffer) - 1)) }

// Get returns a slice of length n with arbitrary contents; nil for 0.
func (b *Buffers) Get(n int) []byte {
	if n == 0 {
		return nil
	}
	c := class(n)
	if k := len(b.classes[c]); k > 0 {
		buf := b.classes[c][k-1]
		b.classes[c][k-1] = nil
		b.classes[c] = b.classes[c][:k-1]
		b.kept -= cap(buf)
		return buf[:n]
	}
	return make([]byte, n, 1<<c)
}

// Put takes back what Get returned.
func (b *Buffers) Put(buf []byte) {
	if cap(buf) == 0 || b.kept+cap(buf) > keptBuffers {
		return
	}
	c := class(cap(buf))
	b.classes[c] = append(b.classes[c], buf[:0])
	b.kept += cap(buf)
}
