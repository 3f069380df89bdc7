package udp

import (
	"net/netip"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/packet"
)

// train is what is left of a message received that holds datagrams of one size, save
// the last, which may be shorter. It has a reference of its buffer for each of them.
type train struct {
	from   netip.AddrPort
	to     netip.Addr
	rest   []byte
	size   int // of a datagram
	buffer *packet.Buffer
}

// carriages returns how many datagrams are left.
func (t *train) carriages() int { return (len(t.rest) + t.size - 1) / t.size }

// unload fills in batch as far as the train goes and returns how many datagrams that
// makes.
func (t *train) unload(batch []packet.Datagram) int {
	n := 0
	for ; n < len(batch) && len(t.rest) > 0; n++ {
		size := min(t.size, len(t.rest))
		batch[n] = packet.Datagram{From: t.from, To: t.to, Bytes: t.rest[:size:size], Buffer: t.buffer}
		t.rest = t.rest[size:]
	}
	return n
}

// drop gives up what is left.
func (t *train) drop() {
	for len(t.rest) > 0 {
		t.rest = t.rest[min(t.size, len(t.rest)):]
		t.buffer.Release()
	}
}
