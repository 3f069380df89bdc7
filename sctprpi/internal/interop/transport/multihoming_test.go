//go:build !race && linux

package transport

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/netem"
	"github.com/sctpmpi/sctpmpi/netem/lab/labtest"
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
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			require.NoError(t, ranks[0].Connect(ctx))
			const messages, before = 60, 20
			var sends, receives [messages]*rpi.Request
			for i := range messages {
				length := 1 + i%3*50_000
				receives[i] = &rpi.Request{Op: rpi.OpRecv, Peer: 0, Tag: matching.Tag(i % 4), Type: 1, Elem: 1, Buf: make([]byte, length)}
				ranks[1].Start(receives[i])
			}
			for i := range messages {
				body := make([]byte, len(receives[i].Buf))
				body[0] = byte(i)
				sends[i] = &rpi.Request{Op: rpi.OpSend, Peer: 1, Tag: matching.Tag(i % 4), Type: 1, Elem: 1, Buf: body}
				ranks[0].Start(sends[i])
				if i == before {
					await(t, ctx, ranks[1], receives[0])
					for h := range network.Hosts() {
						require.NoError(t, network.Host(h).Link(0).Apply(netem.Conditions{Loss: 100}))
					}
				}
			}
			begun := time.Now()
			for i, r := range receives {
				await(t, ctx, ranks[1], r)
				require.EqualValues(t, i, r.Buf[0])
			}
			t.Logf("the rest came within %v", time.Since(begun).Round(time.Millisecond))
			for _, r := range sends {
				await(t, ctx, ranks[0], r)
			}
		})
	}
}

// join opens a rank on each host of a network, at all its addresses.
func join(t *testing.T, network *netem.Topology, open rpi.Open) (ranks [2]rpi.Transport) {
	for i := range ranks {
		host := network.Host(i)
		require.NoError(t, host.Do(func() (err error) {
			ranks[i], err = open(rpi.Config{
				Rank: i, Size: 2, Token: []byte("secret"), Bind: []netip.Addr{host.Addr(0), host.Addr(1)},
				Lookup: func(_ context.Context, peer int) (string, error) { return ranks[peer].Address(), nil },
			})
			return err
		}))
		t.Cleanup(ranks[i].Kill)
	}
	return ranks
}

// await waits until a request has completed.
func await(t *testing.T, ctx context.Context, at rpi.Transport, r *rpi.Request) {
	t.Helper()
	w := rpi.NewWaiter()
	defer w.Release()
	if r.Subscribe(w) {
		for !r.Completed() {
			require.NoError(t, at.Await(ctx, w))
		}
	}
	require.NoError(t, r.Err)
}
