//go:build !race && linux

package interop

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/sockettest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestContractBetween runs the conformance suite with sockets of the two stacks in turn, so that
// most associations are between them, begun by the first. The kernel answers from 127.0.0.1
// wherever in 127.0.0.0/8 it was called. The rules of multihoming that name an address do not
// expect that, so they run only with the kernel as the caller.
func TestContractBetween(t *testing.T) {
	labtest.InLab(t)
	for _, pair := range pairs {
		t.Run(pair.name, func(t *testing.T) {
			made := make(map[string]int) // by each test
			sockettest.Run(t, func(t testing.TB, c socket.Config, addrs ...netip.Addr) socket.Socket {
				s := []interoptest.Stack{pair.caller, pair.called}[made[t.Name()]%2]
				made[t.Name()]++
				c.Interleaving = false // see interleaving
				return listen(t, s, c, interoptest.Local{Addrs: addrs})
			}, sockettest.Features{Multihoming: pair.name == kernelCalls, Rebind: rebind})
		})
	}
}

func listen(t testing.TB, s interoptest.Stack, c socket.Config, l interoptest.Local) socket.Socket {
	t.Helper()
	made, err := s(c, l)
	require.NoError(t, err)
	return made
}

// rebind makes a socket of the stack that had the address.
func rebind(t testing.TB, c socket.Config, local socket.Addr) socket.Socket {
	l := interoptest.Local{Addrs: []netip.Addr{local.IP}, Port: local.Port}
	if local.UDP == labtest.UDPPort {
		return listen(t, interoptest.Kernel, c, l)
	}
	l.UDP = local.UDP
	return listen(t, interoptest.Engine, c, l)
}
