package engine

import (
	"net/netip"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// Network is what a Core moves packets by: a udp.Conn, whose methods these are, or
// what Config.Network makes of it.
type Network interface {
	LocalAddrs() []netip.Addr
	Port() uint16
	RouteMTU(to netip.Addr) int
	Send(b *packet.Batch) error
	Receive(batch []packet.Datagram) (n int, err error)
	Rest() (ready bool)
	Descriptor() int
	OnArrival(f func())
	OnTooBig(f func(to netip.AddrPort, mtu int))
	OnUnreachable(f func(to netip.AddrPort, quoted []byte))
	OnDenied(f func(to netip.AddrPort, why error))
	Close() error
}
