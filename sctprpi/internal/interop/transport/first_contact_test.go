//go:build !race && linux

package transport

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vishvananda/netlink"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/pertrc"
)

// Ranks meet over their second network when the first one does not carry anything from the start: an INIT that is not answered
// is sent again after 200 ms (RTO.Initial), to the peer's next address (RFC 9260, section 5.1, and RFC 6458, section 9.9).
func TestFirstContactOverADeadFirstNetwork(t *testing.T) {
	labtest.InLab(t)
	lossy := func(network *netem.Topology) error { return network.Host(1).Link(0).Apply(netem.Conditions{Loss: 100}) }
	for _, test := range []struct {
		name string
		open rpi.Open
		kill func(network *netem.Topology) error
	}{
		{"kernel, all packets are lost", sctprpi.OpenKernel, lossy},
		{"kernel, the calling host's device is down", sctprpi.OpenKernel, func(network *netem.Topology) error { return down(network.Host(0)) }},
		{"kernel, the called host's device is down", sctprpi.OpenKernel, func(network *netem.Topology) error { return down(network.Host(1)) }},
		{"engine, all packets are lost", sctprpi.Open, lossy},
		{"pertrc, all packets are lost", pertrc.Open, lossy},
	} {
		t.Run(test.name, func(t *testing.T) {
			network := interoptest.Network(t, netem.Dual)
			interoptest.Apply(t, network, "delay 5ms")
			ranks := join(t, network, test.open)
			require.NoError(t, test.kill(network))
			begun := time.Now()
			require.NoError(t, ranks[0].Connect(t.Context()))
			t.Logf("connected after %v", time.Since(begun).Round(time.Millisecond))
			for from := range 2 {
				for i := range 3 {
					body := make([]byte, 1+i*50_000)
					sent := rpitest.Start(ranks[from], rpitest.Request(rpi.OpSend, 1-from, i, body))
					rpitest.Finish(t, rpitest.Start(ranks[1-from], rpitest.Request(rpi.OpRecv, from, i, make([]byte, len(body)))))
					rpitest.Finish(t, sent)
				}
			}
			t.Logf("all messages have come after %v", time.Since(begun).Round(time.Millisecond))
		})
	}
}

// down takes the first device of a host down, as a cable does that is pulled out.
func down(h *netem.Host) error {
	return h.Do(func() error {
		device, err := netlink.LinkByName("eth0")
		if err != nil {
			return err
		}
		return netlink.LinkSetDown(device)
	})
}
