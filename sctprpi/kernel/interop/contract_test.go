//go:build !race && linux

package interop

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket/sockettest"
)

// stack makes sockets of one of the two. Of the port numbers, 0 is for free ones.
type stack func(t testing.TB, c socket.Config, port, udp uint16, addrs ...netip.Addr) socket.Socket

// kernelStack does not interleave: see TestInterleaving.
func kernelStack(t testing.TB, c socket.Config, port, _ uint16, addrs ...netip.Addr) socket.Socket {
	t.Helper()
	c.Interleaving = false
	s, err := kernel.Listen(kernel.Config{Config: c, Addrs: addrs, Port: port, Encapsulated: true})
	require.NoError(t, err)
	return s
}

// engineStack does without segmentation offload: Linux 6.1 panics when a train of
// packets comes to its UDP port for SCTP over loopback, where nothing takes it apart.
func engineStack(t testing.TB, c socket.Config, port, udp uint16, addrs ...netip.Addr) socket.Socket {
	t.Helper()
	s, err := engine.Listen(engine.Config{Config: c, Addrs: addrs, Port: port, UDPPort: udp, NoOffload: true})
	require.NoError(t, err)
	return s
}

// pairs are the two ways round.
var pairs = map[string][2]stack{
	"kernel to engine": {kernelStack, engineStack},
	"engine to kernel": {engineStack, kernelStack},
}

// TestContractBetween runs the conformance suite with sockets of the two stacks in turn,
// so that most associations are between them, begun by the first. The kernel answers from
// 127.0.0.1 wherever in 127.0.0.0/8 it was called, which the rules of multihoming that
// name an address do not expect: they are for the kernel as the one who calls.
func TestContractBetween(t *testing.T) {
	for name, stacks := range pairs {
		t.Run(name, func(t *testing.T) {
			made := make(map[string]int) // by each test
			sockettest.Run(t, func(t testing.TB, c socket.Config, addrs ...netip.Addr) socket.Socket {
				i := made[t.Name()] % 2
				made[t.Name()]++
				return stacks[i](t, c, 0, 0, addrs...)
			}, sockettest.Features{Multihoming: name == "kernel to engine", Rebind: rebind})
		})
	}
}

// rebind makes a socket of the stack that had the address.
func rebind(t testing.TB, c socket.Config, local socket.Addr) socket.Socket {
	make := engineStack
	if local.UDP == kernelUDP {
		make = kernelStack
	}
	return make(t, c, local.Port, local.UDP, local.IP)
}
