package progression

import "math/bits"

// buffers keeps byte slices for messages that have to be copied, in powers
// of two from 64 bytes.
type buffers struct {
	class [64][][]byte
	kept  int // bytes in all classes
}

const (
	smallestBuffer = 64
	keptBuffers    = 16 << 20 // bytes that are kept for later at the most
)

func bufferClass(n int) int { return bits.Len(uint(max(n, smallestBuffer) - 1)) }

// get returns a slice of length n with arbitrary contents; nil for 0.
func (b *buffers) get(n int) []byte {
	if n == 0 {
		return nil
	}
	c := bufferClass(n)
	if k := len(b.class[c]); k > 0 {
		buf := b.class[c][k-1]
		b.class[c][k-1] = nil
		b.class[c] = b.class[c][:k-1]
		b.kept -= cap(buf)
		return buf[:n]
	}
	return make([]byte, n, 1<<c)
}

// put takes back what get returned.
func (b *buffers) put(buf []byte) {
	if cap(buf) == 0 || b.kept+cap(buf) > keptBuffers {
		return
	}
	c := bufferClass(cap(buf))
	b.class[c] = append(b.class[c], buf[:0])
	b.kept += cap(buf)
}
