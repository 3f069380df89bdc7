package sctprpi

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// network is what is between the processes of a job: each reaches each other one by a
// relay of its own, so that two that connect to each other at the same time make two
// associations.
type network struct {
	mu         sync.Mutex
	conns      []*net.UDPConn
	forwarders sync.WaitGroup
}

func newNetwork(t testing.TB) *network {
	n := new(network)
	t.Cleanup(func() {
		n.cut()
		n.forwarders.Wait()
	})
	return n
}

// cut ends all relays.
func (n *network) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.conns {
		_ = c.Close()
	}
}

// listen opens a socket that connects by way of the network.
func (n *network) listen(c socket.Config, local netip.Addr, port uint16) (socket.Core, error) {
	s, err := engine.Open(engine.Config{Config: c, Addrs: []netip.Addr{local}, UDPPort: port})
	return &remote{Core: s, network: n}, err
}

// remote is a socket whose peers are on the other side of a network.
type remote struct {
	*engine.Core
	network *network
}

func (r *remote) Connect(peer ...socket.Addr) (id socket.AssocID, err error) {
	at := peer[0]
	if at.UDP, err = r.network.relay(at); err != nil {
		return 0, err
	}
	return r.Core.Connect(at)
}

// relay makes a relay to an address and returns its UDP port.
func (n *network) relay(to socket.Addr) (uint16, error) {
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
func (n *network) forward(from, to *net.UDPConn, route func(netip.AddrPort) netip.AddrPort) {
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
		n := newNetwork(t)
		var ranks [2]*Transport
		for rank := range ranks {
			var err error
			ranks[rank], err = New(rpi.Config{
				Rank: rank, Size: 2, Token: token,
				Lookup: func(context.Context, int) (string, error) { return ranks[1-rank].Address(), nil },
			}, Options{Listen: n.listen})
			require.NoError(t, err)
			t.Cleanup(ranks[rank].Kill)
		}
		var both sync.WaitGroup
		for rank, r := range ranks {
			both.Go(func() {
				in, out := receiveFrom(1-rank), &rpi.Request{Op: rpi.OpSend, Peer: matching.Rank(1 - rank), Type: 1, Elem: 1, Buf: []byte{7}}
				r.Start(out)
				r.Start(in)
				<-in.Done()
				<-out.Done()
				if in.Err != nil || out.Err != nil {
					t.Errorf("rank %d: %v, %v", rank, in.Err, out.Err)
				}
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
