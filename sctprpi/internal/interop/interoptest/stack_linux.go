package interoptest

import (
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Local is what a Stack's socket is bound to. Its zero value is a free port of loopback.
type Local struct {
	Addrs []netip.Addr
	Port  uint16
	// UDP is the engine's port to encapsulate in, 0 for a free one, and Capture gets
	// its packets. The kernel has neither.
	UDP     uint16
	Capture *capture.Writer
}

// Stack makes sockets of one of the two implementations of SCTP, in the calling thread's
// network namespace.
type Stack func(c socket.Config, l Local) (socket.Socket, error)

// Kernel is the kernel's SCTP, whose peers come by UDP.
func Kernel(c socket.Config, l Local) (socket.Socket, error) {
	return kernel.Listen(kernel.Config{Config: c, Addrs: l.Addrs, Port: l.Port, Encapsulated: true})
}

// KernelOverIP is the kernel's SCTP, whose peers come by IP, without UDP.
func KernelOverIP(c socket.Config, l Local) (socket.Socket, error) {
	return kernel.Listen(kernel.Config{Config: c, Addrs: l.Addrs, Port: l.Port})
}

// Engine is the embedded engine without GSO: Linux 6.1 panics when a GSO packet comes to its UDP
// port for SCTP over loopback, where it is not split. If no SCTP port is chosen, Engine uses one
// that the kernel does not give its own sockets: a call to the kernel from the address and port of
// another peer, but from another UDP port, is refused (draft-tuexen-tsvwg-sctp-udp-encaps-cons-03,
// section 4.4).
func Engine(c socket.Config, l Local) (socket.Socket, error) {
	if l.Port == 0 {
		const first, count = 10_000, 20_000
		l.Port = uint16(first + opened.Add(1)%count)
	}
	return engine.Listen(engine.Config{
		Config: c, Addrs: l.Addrs, Port: l.Port, UDPPort: l.UDP, Capture: l.Capture, NoOffload: true,
	})
}

// opened counts the engine's sockets whose ports have not been chosen.
var opened atomic.Uint32

// PeerAt makes a peer at a host, bound to the host's addresses on some of its links in place
// of l.Addrs.
func PeerAt(t testing.TB, h *netem.Host, s Stack, c socket.Config, l Local, links ...int) *Peer {
	t.Helper()
	l.Addrs = make([]netip.Addr, len(links))
	for i, link := range links {
		l.Addrs[i] = h.Addr(link)
	}
	var made socket.Socket
	require.NoError(t, h.Do(func() (err error) {
		made, err = s(c, l)
		return err
	}))
	return NewPeer(t, made)
}
