package engine

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/packet"
)

// Network is what a Socket moves packets by: a udp.Conn, whose methods these are, or
// what Config.Network makes of it.
type Network interface {
	LocalAddrs() []netip.Addr
	Port() uint16
	RouteMTU(to netip.Addr) int
	Send(b *packet.Batch) error
	Receive(batch []packet.Datagram) (n int, err error)
	Wait(deadline time.Time) error
	Block(deadline time.Time) error
	Wake()
	OnTooBig(f func(to netip.AddrPort, mtu int))
	OnUnreachable(f func(to netip.AddrPort, quoted []byte))
	Close() error
}
