package sctprpi

import (
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/impaired"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// The whole contract holds on a network that loses, reorders and doubles packets.
func TestImpairedNetwork(t *testing.T) {
	var seed atomic.Uint64
	patient := func(c socket.Config, local netip.Addr, port uint16) (socket.Socket, error) {
		// Timeouts for a way of microseconds, and patience: each may be a mere loss.
		c.RTOMin, c.RTOInitial, c.RTOMax = 3*time.Millisecond, 5*time.Millisecond, 50*time.Millisecond
		c.AckDelay = time.Millisecond
		c.AssocRetransmissions, c.PathRetransmissions, c.InitRetransmissions = 50, 50, 50
		return engine.Listen(engine.Config{
			Config: c, Addrs: []netip.Addr{local}, UDPPort: port,
			Network: impaired.Link(impaired.Conditions{Loss: 0.05, Reorder: 0.05, Duplicate: 0.01}, seed.Add(1)),
		})
	}
	rpitest.Run(t, opener(Options{Listen: patient}))
}
