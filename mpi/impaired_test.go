package mpi

import (
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/impaired"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Impaired is the name of a transport of the tests: SCTP over a network that loses,
// reorders and duplicates packets. All suites run over it too.
const Impaired = "sctp-impaired"

func init() {
	var seed atomic.Uint64
	open := func(cfg rpi.Config) (rpi.Transport, error) {
		return sctprpi.New(cfg, sctprpi.Options{
			Name: Impaired,
			Listen: func(c socket.Config, local netip.Addr, port uint16) (socket.Socket, error) {
				// Timeouts for a way of microseconds, and patience: each may be
				// a mere loss.
				c.RTOMin, c.RTOInitial, c.RTOMax = 3*time.Millisecond, 5*time.Millisecond, 50*time.Millisecond
				c.AckDelay = time.Millisecond
				c.AssocRetransmissions, c.PathRetransmissions, c.InitRetransmissions = 50, 50, 50
				return engine.Listen(engine.Config{
					Config: c, Addrs: []netip.Addr{local}, UDPPort: port,
					Network: impaired.Link(impaired.Conditions{Loss: 0.05, Reorder: 0.05, Duplicate: 0.01}, seed.Add(1)),
				})
			},
		})
	}
	transports = append(transports, struct {
		name string
		open rpi.Open
	}{Impaired, open})
}
