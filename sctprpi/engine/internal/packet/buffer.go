package packet

import (
	"math/bits"
	"net/netip"
	"sync"
	"sync/atomic"
)

// MaxSize is the largest packet, in bytes: what a UDP datagram can hold.
const MaxSize = 65_535

// Datagram is a packet received.
type Datagram struct {
	From netip.AddrPort
	// To is the local address that it was sent to, the zero Addr if there is
	// only one.
	To netip.Addr
	// Bytes lie in Buffer, of which the Datagram has one reference.
	Bytes  []byte
	Buffer *Buffer
}

// Buffer is memory that counts its references. It is of one of a Pool's sizes, and
// goes back there with the last reference.
type Buffer struct {
	Bytes []byte
	pool  *Pool
	refs  atomic.Int32
}

// Retain adds n references.
func (b *Buffer) Retain(n int) { b.refs.Add(int32(n)) }

// Release gives up a reference.
func (b *Buffer) Release() {
	if refs := b.refs.Add(-1); refs == 0 {
		b.pool.put(b)
	} else if refs < 0 {
		panic("packet: Buffer released more often than retained")
	}
}

// Sizes of buffers are powers of two.
const (
	minClass = 7  // 128 bytes
	maxClass = 16 // 64 KiB
)

// Pool lends Buffers. The zero Pool is ready for use, by any number of goroutines.
// What is not lent is the garbage collector's to free.
type Pool struct {
	classes [maxClass - minClass + 1]sync.Pool
	lent    atomic.Int64
}

// Get lends a Buffer of n bytes, at most MaxSize+1, with one reference. What is in
// it is left over from before.
func (p *Pool) Get(n int) *Buffer {
	class := max(bits.Len(uint(n-1)), minClass) - minClass
	b, _ := p.classes[class].Get().(*Buffer)
	if b == nil {
		b = &Buffer{Bytes: make([]byte, 1<<(class+minClass)), pool: p}
	}
	b.Bytes = b.Bytes[:n]
	b.refs.Store(1)
	p.lent.Add(1)
	return b
}

func (p *Pool) put(b *Buffer) {
	p.lent.Add(-1)
	b.Bytes = b.Bytes[:cap(b.Bytes)]
	p.classes[max(bits.Len(uint(cap(b.Bytes)-1)), minClass)-minClass].Put(b)
}

// Lent returns how many Buffers are lent.
func (p *Pool) Lent() int { return int(p.lent.Load()) }
