package assoc

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/freelist"
)

// copyMessage copies a message of size bytes that is not lent; release takes the owner back.
func (h *Host) copyMessage(data [][]byte, size int) (list [][]byte, owner any) {
	c := h.copies.get(h.Pool, data, size)
	return c.list[:], c
}

// copied is a message that has been copied.
type copied struct {
	list   [1][]byte
	buffer *packet.Buffer // nil if list is too large for one, or small
	small  [smallCopy]byte
}

// smallCopy is the longest message, in bytes, that has no Buffer, which would take longer to
// get and to give back than the message to copy.
const smallCopy = 128

// copyPool keeps copies for reuse.
type copyPool struct{ free freelist.List[copied] }

// keptCopies is how many copies a copyPool keeps at most.
const keptCopies = 4096

func (p *copyPool) get(pool *packet.Pool, data [][]byte, size int) *copied {
	c := p.free.Take()
	var b []byte
	switch {
	case size <= smallCopy:
		b = c.small[:0]
	case size <= packet.MaxSize+1: // 64 KiB, the largest that a Pool lends
		c.buffer = pool.Get(size)
		b = c.buffer.Bytes[:0]
	default:
		b = make([]byte, 0, size)
	}
	for _, piece := range data {
		b = append(b, piece...)
	}
	c.list[0] = b
	return c
}

func (p *copyPool) put(c *copied) {
	if c.buffer != nil {
		c.buffer.Release()
	}
	c.list[0], c.buffer = nil, nil
	p.free.Put(c, keptCopies)
}
