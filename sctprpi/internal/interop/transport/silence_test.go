//go:build !race && linux

package transport

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
)

// A rank that hears nothing from another suspects it after half of rpi.Config.PeerTimeout, and gives it
// up after all of it, whether it only receives or sends too, over the kernel's SCTP as over the engine. How
// long that took is logged. What bounds it counts naps, which a busy host makes longer too.
func TestAVanishedRankIsSuspectedAndGivenUp(t *testing.T) {
	labtest.InLab(t)
	const (
		timeout = 8 * time.Second
		nap     = timeout / 1000
	)
	for _, c := range []struct {
		name  string
		open  rpi.Open
		sends bool
		links []int
	}{
		{"kernel_receives", sctprpi.OpenKernel, false, []int{0}},
		{"kernel_sends", sctprpi.OpenKernel, true, []int{0}},
		{"kernel_receives_by_two_networks", sctprpi.OpenKernel, false, []int{0, 1}},
		{"kernel_sends_by_two_networks", sctprpi.OpenKernel, true, []int{0, 1}},
		{"engine_receives", sctprpi.Open, false, []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			network := interoptest.Network(t, netem.Dual)
			interoptest.Apply(t, network, "delay 5ms")
			ranks := rpitest.OpenJob(t, 2, func(cfg rpi.Config) (tr rpi.Transport, err error) {
				host := network.Host(cfg.Rank)
				for _, link := range c.links {
					cfg.Bind = append(cfg.Bind, host.Addr(link))
				}
				err = host.Do(func() (err error) {
					tr, err = c.open(cfg)
					return err
				})
				return tr, err
			}, func(_ int, cfg *rpi.Config) { cfg.PeerTimeout = timeout })
			require.NoError(t, ranks[0].Connect(t.Context()))
			first := rpitest.Start(ranks[0], rpitest.Request(rpi.OpRecv, 1, 0, make([]byte, 100)))
			begun := time.Now() // the peer is heard later still
			rpitest.Do(t, ranks[1], rpitest.Request(rpi.OpSend, 0, 0, make([]byte, 100)))
			rpitest.Finish(t, first)
			interoptest.Apply(t, network, "loss 100%")
			pending := rpitest.Start(ranks[0], rpitest.Request(rpi.OpRecv, 1, 0, make([]byte, 100)))
			if c.sends {
				rpitest.Start(ranks[0], rpitest.Request(rpi.OpSend, 1, 0, make([]byte, 100)))
			}
			watchful := ranks[0].(rpi.Watchful)
			var suspected time.Duration
			naps := time.Duration(0)
			for ; !pending.Completed(); naps++ {
				if ranks := watchful.Suspected(); len(ranks) > 0 && suspected == 0 {
					suspected = time.Since(begun)
					assert.Equal(t, []matching.Rank{1}, ranks)
					assert.Less(t, naps*nap, timeout)
				}
				time.Sleep(nap)
			}
			givenUp := time.Since(begun)
			t.Logf("suspected after %.2f, given up after %.2f of the time-out", suspected.Seconds()/timeout.Seconds(), givenUp.Seconds()/timeout.Seconds())
			require.ErrorIs(t, pending.Err, rpi.ErrProcFailed)
			assert.ErrorContains(t, pending.Err, "heard nothing from it for 8s")
			assert.GreaterOrEqual(t, suspected, timeout/2)
			assert.GreaterOrEqual(t, givenUp, timeout)
			assert.Less(t, naps*nap, timeout+timeout/2)
			assert.Empty(t, watchful.Suspected())
			interoptest.Apply(t, network, "")
		})
	}
}
