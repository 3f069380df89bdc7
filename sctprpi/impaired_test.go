package sctprpi

import (
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// The whole contract holds on a network that loses, reorders and doubles packets.
func TestImpairedNetwork(t *testing.T) {
	var seed atomic.Uint64
	listen := func(c socket.Config, local netip.Addr, port uint16) (socket.Core, error) {
		return enginetest.OpenImpaired(c, local, port, seed.Add(1))
	}
	rpitest.Run(t, opener(Options{Listen: listen}))
}
