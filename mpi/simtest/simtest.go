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
	"cmp"
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

// Network joins the ranks, each of which has a host of its own, by a link for each host, to a switch that does nothing to packets.
type Network struct {
	Link Link
	// Transport is "sctp-engine" or "sctp-pertrc"; empty is "sctp-engine".
	Transport string
	// MTU is how long packets may be, with their IP headers, in bytes; 0 is 1500.
	MTU int
	// Seed determines what is random in the network.
	Seed uint64

	world *enginetest.World // of the job that is under way
	ranks int
	off   *off // hosts that are off its network
}

// maxRanks are as many as the addresses of the network.
const maxRanks = 250

// Run runs fn as n ranks, 250 at most, as mpi.RunLocal does, in a bubble of virtual time, and returns the error of that. Options and the
// environment, with SCTPMPI_STREAMS, SCTPMPI_INTERLEAVE and SCTPMPI_CONGESTION, count as for mpi.RunLocal, except that messages always take the network, unencrypted, and calls do not spin. Test results
// must not be reported within fn by a *testing.T from outside: return errors. Run cannot be used within a bubble, and no other job of
// this process may be under way. The network has one job at a time.
func Run(t *testing.T, n int, network *Network, fn func(world *mpi.Comm) error, options ...mpi.Option) (err error) {
	t.Helper()
	if n > maxRanks {
		return fmt.Errorf("simtest: %d ranks; there can be %d", n, maxRanks)
	}
	open, err := network.transport()
	if err != nil {
		return err
	}
	o, err := sctprpi.FromEnvironment()
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
		network.world, network.ranks, network.off = enginetest.New(network.Seed), n, new(off)
		if network.world.SetMTU(1500); network.MTU > 0 {
			network.world.SetMTU(network.MTU)
		}
		network.SetLink(network.Link)
		var follower sync.WaitGroup
		follower.Go(func() { network.world.Follow(ctx) })
		err = mpi.RunLocal(n, fn, append(options, network.option(open, o))...)
		cancel()
		follower.Wait()
	})
	return err
}

// SetLink changes what happens to packets that are sent from now on. It is for fn.
func (network *Network) SetLink(link Link) {
	for rank := range network.ranks {
		network.SetLinkOf(rank, link)
	}
}

// forget empties the pools of this process, from which a rank could take a channel of another bubble: the runtime does in two collections.
func forget() {
	runtime.GC()
	runtime.GC()
}

// transport returns what opens the transport.
func (network *Network) transport() (func(rpi.Config, sctprpi.Options) (rpi.Transport, error), error) {
	switch network.Transport {
	case "", sctprpi.Name:
		return func(c rpi.Config, o sctprpi.Options) (rpi.Transport, error) { return sctprpi.New(c, o) }, nil
	case pertrc.Name:
		return func(c rpi.Config, o sctprpi.Options) (rpi.Transport, error) { return pertrc.New(c, o) }, nil
	}
	return nil, fmt.Errorf("simtest: transport %q is not simulated; %s and %s are", network.Transport, sctprpi.Name, pertrc.Name)
}

// option returns the option by which a job uses the network.
func (network *Network) option(open func(rpi.Config, sctprpi.Options) (rpi.Transport, error), o sctprpi.Options) mpi.Option {
	o.Name = cmp.Or(network.Transport, sctprpi.Name)
	o.Listen = func(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
		return network.world.Listen(c, local, port)
	}
	return func(s *startup.Settings) error {
		s.Find = func(string) (string, rpi.Open, error) {
			return o.Name, func(c rpi.Config) (rpi.Transport, error) {
				c.Bind = []netip.Addr{host(c.Rank)}
				return open(c, o)
			}, nil
		}
		s.Transport, s.Spin, s.SharedMemory, s.Encrypt = o.Name, startup.Never, "off", seal.Off
		return nil
	}
}

// host is the address of a rank's host.
func host(rank int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, 0, byte(1 + rank)}) }
