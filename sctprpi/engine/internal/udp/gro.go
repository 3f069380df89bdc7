package udp

import (
	"net/netip"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// groMessage is what is left of a received message with datagrams of one size, and with the same bits of ECN. The last one may be
// shorter. It has a reference to its buffer for each of them.
type groMessage struct {
	from   netip.AddrPort
	to     netip.Addr
	rest   []byte
	size   int // of a datagram
	ecn    packet.ECN
	buffer *packet.Buffer
}

// segments returns how many datagrams are left.
func (m *groMessage) segments() int { return (len(m.rest) + m.size - 1) / m.size }

// split puts datagrams into batch until it is full or none is left, and returns how many.
func (m *groMessage) split(batch []packet.Datagram) int {
	n := 0
	for ; n < len(batch) && len(m.rest) > 0; n++ {
		size := min(m.size, len(m.rest))
		batch[n] = packet.Datagram{From: m.from, To: m.to, ECN: m.ecn, Bytes: m.rest[:size:size], Buffer: m.buffer}
		m.rest = m.rest[size:]
	}
	return n
}

// drop discards what is left.
func (m *groMessage) drop() {
	for len(m.rest) > 0 {
		m.rest = m.rest[min(m.size, len(m.rest)):]
		m.buffer.Release()
	}
}
