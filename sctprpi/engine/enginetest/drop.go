package enginetest

import (
	"net/netip"
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// IsAbort reports whether a packet, as a UDP payload, begins with an ABORT chunk.
func IsAbort(packet []byte) bool { return begins(packet, wire.TypeAbort) }

// IsShutdownComplete reports whether a packet, as a UDP payload, begins with a SHUTDOWN COMPLETE
// chunk.
func IsShutdownComplete(packet []byte) bool { return begins(packet, wire.TypeShutdownComplete) }

func begins(packet []byte, t wire.ChunkType) bool {
	return len(packet) > wire.HeaderSize && wire.ChunkType(packet[wire.HeaderSize]) == t
}

// Drop returns an engine.Config.Network that loses the packets for which lost is true, and what
// hosts report of packets for which they have no socket.
func Drop(lost func(packet []byte) bool) func(engine.Network) engine.Network {
	return func(n engine.Network) engine.Network { return &dropper{Network: n, lost: lost} }
}

type dropper struct {
	engine.Network
	lost func(packet []byte) bool
}

// OnUnreachable implements engine.Network.
func (*dropper) OnUnreachable(func(netip.AddrPort, []byte)) {}

// Send implements engine.Network.
func (d *dropper) Send(b *packet.Batch) error {
	var out packet.Batch
	for i := range b.Packets() {
		p := &b.Packets()[i]
		whole := slices.Concat(b.Parts(p)...)
		if d.lost(whole) {
			continue
		}
		add(&out, *p, whole)
	}
	return d.Network.Send(&out)
}
