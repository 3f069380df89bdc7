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
	// Sender is who has sealed it, if there is a guard.
	Sender Sender
	// ECN is as it arrived, NotECT if the system does not tell.
	ECN ECN
	// Bytes lie in Buffer, of which the Datagram has one reference.
	Bytes  []byte
	Buffer *Buffer
}

// Sender is a socket.Sender.
type Sender struct {
	ID uint64
	At netip.AddrPort
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

// Sizes of buffers: from the least on, steps to the double that are equal. So a Buffer is at most an eighth longer
// than what it is for: a message that waits to be received has one for itself.
const (
	leastBits = 7 // 128 bytes
	least     = 1 << leastBits
	doubles   = 9 // to 64 KiB
	stepsBits = 3
	steps     = 1 << stepsBits
)

// class returns the least size that holds n bytes, by its number and in bytes.
func class(n int) (number, size int) {
	if n <= least {
		return 0, least
	}
	double := bits.Len(uint(n-1)>>leastBits) - 1 // 0 for sizes up to twice the least
	base, step := least<<double, leastBits-stepsBits+double
	i := (n - 1 - base) >> step
	return double*steps + i + 1, base + (i+1)<<step
}

// Pool lends Buffers. The zero Pool is ready for use, by any number of goroutines.
// What is not lent is the garbage collector's to free.
type Pool struct {
	classes [doubles*steps + 1]sync.Pool
	lent    atomic.Int64
}

// Get lends a Buffer of n bytes, at most MaxSize+1, with one reference. What is in
// it is left over from before.
func (p *Pool) Get(n int) *Buffer {
	number, size := class(n)
	b, _ := p.classes[number].Get().(*Buffer)
	if b == nil {
		b = &Buffer{Bytes: make([]byte, size), pool: p}
	}
	b.Bytes = b.Bytes[:n]
	b.refs.Store(1)
	p.lent.Add(1)
	return b
}

func (p *Pool) put(b *Buffer) {
	p.lent.Add(-1)
	b.Bytes = b.Bytes[:cap(b.Bytes)]
	number, _ := class(cap(b.Bytes))
	p.classes[number].Put(b)
}

// Lent returns how many Buffers are lent.
func (p *Pool) Lent() int { return int(p.lent.Load()) }
