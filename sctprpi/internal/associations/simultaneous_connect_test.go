package associations

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// relays are what are between the processes of a job: each reaches each other one by a
// relay of its own, so that two that connect to each other at the same time make two
// associations.
type relays struct {
	mu         sync.Mutex
	conns      []*net.UDPConn
	forwarders sync.WaitGroup
}

func newRelays(t testing.TB) *relays {
	n := new(relays)
	t.Cleanup(func() {
		n.cut()
		n.forwarders.Wait()
	})
	return n
}

// cut ends all relays.
func (n *relays) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.conns {
		_ = c.Close()
	}
}

// listen opens a socket that connects by way of relays.
func (n *relays) listen(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
	s, err := engine.Open(engine.Config{Config: c, Addrs: local, UDPPort: port})
	return &remote{Core: s, relays: n}, err
}

// remote is a socket whose peers are on the other side of relays.
type remote struct {
	*engine.Core
	relays *relays
}

func (r *remote) Connect(peer ...socket.Addr) (id socket.AssocID, err error) {
	at := peer[0]
	if at.UDP, err = r.relays.relay(at); err != nil {
		return 0, err
	}
	return r.Core.Connect(at)
}

// relay makes a relay to an address and returns its UDP port.
func (n *relays) relay(to socket.Addr) (uint16, error) {
	front, err := net.ListenUDP("udp4", &net.UDPAddr{IP: to.IP.AsSlice()})
	if err != nil {
		return 0, err
	}
	back, err := net.ListenUDP("udp4", &net.UDPAddr{IP: to.IP.AsSlice()})
	if err != nil {
		return 0, err
	}
	n.mu.Lock()
	n.conns = append(n.conns, front, back)
	n.mu.Unlock()
	var caller atomic.Pointer[netip.AddrPort]
	called := netip.AddrPortFrom(to.IP, to.UDP)
	n.forwarders.Go(func() {
		n.forward(front, back, func(from netip.AddrPort) netip.AddrPort {
			caller.CompareAndSwap(nil, &from)
			return called
		})
	})
	n.forwarders.Go(func() {
		n.forward(back, front, func(netip.AddrPort) netip.AddrPort {
			if c := caller.Load(); c != nil {
				return *c
			}
			return netip.AddrPort{}
		})
	})
	return front.LocalAddr().(*net.UDPAddr).AddrPort().Port(), nil
}

// forward relays one direction until its sockets are closed.
func (n *relays) forward(from, to *net.UDPConn, route func(netip.AddrPort) netip.AddrPort) {
	buf := make([]byte, 1<<16)
	for {
		size, source, err := from.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		if dest := route(source); dest.IsValid() {
			// A packet that cannot be sent is lost.
			_, _ = to.WriteToUDPAddrPort(buf[:size], dest)
		}
	}
}

// TestTwoAssociationsOfTwoPeers: when both connect by ways that SCTP cannot know to lead
// to one and the same process, one of the associations is used, and the other ends.
func TestTwoAssociationsOfTwoPeers(t *testing.T) {
	for range 30 {
		ranks := pair(t, Options{Listen: newRelays(t).listen})
		var both sync.WaitGroup
		for rank, r := range ranks {
			both.Go(func() {
				peer := matching.Rank(1 - rank)
				r.need(peer, true)
				r.waitOpen(peer)
				r.say(t, peer, "hello")
				r.waitHeard(peer, "hello")
			})
		}
		both.Wait()
		for _, r := range ranks {
			both.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				defer cancel()
				if err := r.Close(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		require.Zero(t, ranks[0].Rejected()+ranks[1].Rejected())
	}
}
