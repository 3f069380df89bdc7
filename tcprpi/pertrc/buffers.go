package pertrc

import "math/bits"

const (
	smallestBuffer = 64
	keptBuffers    = 16 << 20 // bytes that are kept for later at the most
)

func class(n int) int { return bits.Len(uint(max(n, smallestBuffer) - 1)) }

// get returns a slice of length n with arbitrary contents, which counts as
// held until it is given back; nil for 0.
func (m *memory) get(n int) []byte {
	if n == 0 {
		return nil
	}
	m.held += n
	c := class(n)
	if k := len(m.buffers[c]); k > 0 {
		b := m.buffers[c][k-1]
		m.buffers[c][k-1] = nil
		m.buffers[c] = m.buffers[c][:k-1]
		m.kept -= cap(b)
		return b[:n]
	}
	return make([]byte, n, 1<<c)
}

// put takes back what get returned, at the same length.
func (m *memory) put(b []byte) {
	m.held -= len(b)
	if cap(b) == 0 || m.kept+cap(b) > keptBuffers {
		return
	}
	c := class(cap(b))
	m.buffers[c] = append(m.buffers[c], b[:0])
	m.kept += cap(b)
}
