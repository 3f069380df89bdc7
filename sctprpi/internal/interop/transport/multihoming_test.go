//go:build !race && linux

package transport

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
)

// Ranks on hosts that are joined by two networks go on when one of these loses all packets: no message is lost.
func TestALostNetworkLosesNoMessage(t *testing.T) {
	labtest.InLab(t)
	for _, transport := range []struct {
		name string
		open rpi.Open
	}{{"kernel", sctprpi.OpenKernel}, {"engine", sctprpi.Open}} {
		t.Run(transport.name, func(t *testing.T) {
			network := interoptest.Network(t, netem.Dual)
			interoptest.Apply(t, network, "delay 5ms")
			ranks := join(t, network, transport.open)
			require.NoError(t, ranks[0].Connect(t.Context()))
			const messages, before = 60, 20
			var sends, receives [messages]*rpi.Request
			for i := range messages {
				length := 1 + i%3*50_000
				receives[i] = rpitest.Start(ranks[1], rpitest.Request(rpi.OpRecv, 0, i%4, make([]byte, length)))
			}
			for i := range messages {
				body := make([]byte, len(receives[i].Buf))
				body[0] = byte(i)
				sends[i] = rpitest.Start(ranks[0], rpitest.Request(rpi.OpSend, 1, i%4, body))
				if i == before {
					rpitest.Finish(t, receives[0])
					for h := range network.Hosts() {
						require.NoError(t, network.Host(h).Link(0).Apply(netem.Conditions{Loss: 100}))
					}
				}
			}
			begun := time.Now()
			for i, r := range receives {
				rpitest.Finish(t, r)
				require.EqualValues(t, i, r.Buf[0])
			}
			t.Logf("the rest came within %v", time.Since(begun).Round(time.Millisecond))
			for _, r := range sends {
				rpitest.Finish(t, r)
			}
		})
	}
}

// join opens a rank on each host of a network, at all its addresses.
func join(t *testing.T, network *netem.Topology, open rpi.Open) []rpi.Transport {
	return rpitest.OpenJob(t, 2, func(cfg rpi.Config) (tr rpi.Transport, err error) {
		host := network.Host(cfg.Rank)
		cfg.Bind = []netip.Addr{host.Addr(0), host.Addr(1)}
		err = host.Do(func() (err error) {
			tr, err = open(cfg)
			return err
		})
		return tr, err
	}, nil)
}
