// Package simtest is for the tests of MPI programs: it runs a job over the embedded SCTP engine on a simulated network, in virtual time. A
// minute of it takes as long as the packets in it need, so a test can wait for retransmission timeouts, and compare times under
// latency and loss, whatever else the machine does.
//
// Ranks are goroutines of a bubble of package testing/synctest. They may use package time, goroutines and channels as usual. The clock
// stands still as long as any of them computes, so computing takes no time: a rank that is to compute for a while sleeps. Everything random
// in the network follows from a seed; but goroutines that become ready at the same time may run in any order, so that two runs need not
// be equal.
package simtest

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/pertrc"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Link says what happens to all packets that a host sends: delay, rate and queue, loss, also in bursts, reordering. The zero Link is perfect.
type Link = enginetest.Conditions

// Options are those of the transports over SCTP: streams, interleaving, congestion control. Listen is not for users.
type Options = sctprpi.Options

// Network joins the ranks, each of which has a host of its own, by a link for each host, to a switch that does nothing to packets.
type Network struct {
	Link Link
	// Transport is "sctp-engine" or "sctp-pertrc"; empty is "sctp-engine".
	Transport string
	Options   Options
	// MTU is how long packets may be, with their IP headers, in bytes; 0 is 1500.
	MTU int
	// Seed determines what is random in the network.
	Seed uint64
}

// maxRanks are as many as the addresses of the network.
const maxRanks = 250

// Run runs fn as n ranks, 250 at most, as mpi.RunLocal does, in a bubble of virtual time, and returns the error of that. Options and the
// environment count as for mpi.RunLocal, except that messages always take the network, unencrypted, and calls do not spin. Test results
// must not be reported within fn by a *testing.T from outside: return errors. Run cannot be used within a bubble, and no other job of
// this process may be under way.
func Run(t *testing.T, n int, network Network, fn func(world *mpi.Comm) error, options ...mpi.Option) (err error) {
	t.Helper()
	if n > maxRanks {
		return fmt.Errorf("simtest: %d ranks; there can be %d", n, maxRanks)
	}
	open, err := network.open(n)
	if err != nil {
		return err
	}
	// The runtime's goroutine for signals, which the first Notify makes, must not be of the bubble.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	signal.Stop(signals)
	defer forget()
	forget()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var follower sync.WaitGroup
		w, simulated := open()
		follower.Go(func() { w.Follow(ctx) })
		err = mpi.RunLocal(n, fn, append(options, simulated)...)
		cancel()
		follower.Wait()
	})
	return err
}

// forget empties the pools of this process, from which a rank could take a channel of another bubble: the runtime does in two collections.
func forget() {
	runtime.GC()
	runtime.GC()
}

// open returns what makes the network and the option by which a job uses it.
func (network Network) open(n int) (func() (*enginetest.World, mpi.Option), error) {
	o := network.Options
	var transport func(rpi.Config) (rpi.Transport, error)
	switch o.Name = network.Transport; o.Name {
	case "", sctprpi.Name:
		o.Name = sctprpi.Name
		transport = func(c rpi.Config) (rpi.Transport, error) { return sctprpi.New(c, o) }
	case pertrc.Name:
		transport = func(c rpi.Config) (rpi.Transport, error) { return pertrc.New(c, o) }
	default:
		return nil, fmt.Errorf("simtest: transport %q is not simulated; %s and %s are", o.Name, sctprpi.Name, pertrc.Name)
	}
	return func() (*enginetest.World, mpi.Option) {
		w := enginetest.New(network.Seed)
		if w.SetMTU(1500); network.MTU > 0 {
			w.SetMTU(network.MTU)
		}
		for from := range n {
			var others []netip.Addr
			for to := range n {
				if to != from {
					others = append(others, host(to))
				}
			}
			w.Uplink(host(from), others, network.Link)
		}
		o.Listen = func(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
			return w.Listen(c, local, port)
		}
		return w, func(s *startup.Settings) error {
			s.Find = func(string) (string, rpi.Open, error) {
				return o.Name, func(c rpi.Config) (rpi.Transport, error) {
					c.Bind = []netip.Addr{host(c.Rank)}
					return transport(c)
				}, nil
			}
			s.Transport, s.Spin, s.SharedMemory, s.Encrypt = o.Name, startup.Never, "off", seal.Off
			return nil
		}
	}, nil
}

// host is the address of a rank's host.
func host(rank int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, 0, byte(1 + rank)}) }
