package mpi

import (
	"net/netip"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
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
			Listen: func(c socket.Config, local netip.Addr, port uint16) (socket.Core, error) {
				return enginetest.OpenImpaired(c, local, port, seed.Add(1))
			},
		})
	}
	transports = append(transports, struct {
		name string
		open rpi.Open
	}{Impaired, open})
}
