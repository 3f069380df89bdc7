package sockettest

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// fate is what a relay does with a packet.
type fate int

const (
	pass fate = iota
	drop
	duplicate
	// swap lets the next packet go first.
	swap
)

// relay is a box on the way between two sockets whose packets travel in UDP. To
// each it looks like the other one, at another UDP port.
type relay struct {
	// left and right face the two sockets.
	left, right *net.UDPConn
	fate        atomic.Pointer[func(packet []byte) fate]
}

// relay makes a relay in front of an address. The first host that sends to left is the other end.
func (s *suite) relay(addr socket.Addr) *relay {
	s.Helper()
	ip := addr.IP.AsSlice()
	left, err := net.ListenUDP("udp", &net.UDPAddr{IP: ip})
	require.NoError(s, err)
	right, err := net.ListenUDP("udp", &net.UDPAddr{IP: ip})
	require.NoError(s, err)
	r := &relay{left: left, right: right}
	r.treat(func([]byte) fate { return pass })

	var caller atomic.Pointer[netip.AddrPort]
	called := netip.AddrPortFrom(addr.IP, addr.UDP)
	var both sync.WaitGroup
	both.Go(func() {
		r.forward(left, right, func(from netip.AddrPort) netip.AddrPort {
			caller.CompareAndSwap(nil, &from)
			return called
		})
	})
	both.Go(func() {
		r.forward(right, left, func(netip.AddrPort) netip.AddrPort {
			if to := caller.Load(); to != nil {
				return *to
			}
			return netip.AddrPort{}
		})
	})
	s.Cleanup(func() {
		_ = left.Close()
		_ = right.Close()
		both.Wait()
	})
	return r
}

// treat decides what becomes of packets, in each direction alike.
func (r *relay) treat(f func(packet []byte) fate) { r.fate.Store(&f) }

// cut drops everything.
func (r *relay) cut() { r.treat(func([]byte) fate { return drop }) }

// mend passes everything.
func (r *relay) mend() { r.treat(func([]byte) fate { return pass }) }

// onlySetup passes the chunks that set an association up, and nothing else.
func (r *relay) onlySetup() {
	const commonHeader = 12
	r.treat(func(packet []byte) fate {
		if len(packet) <= commonHeader {
			return drop
		}
		switch packet[commonHeader] {
		case 1, 2, 10, 11: // INIT, INIT ACK, COOKIE ECHO, COOKIE ACK
			return pass
		}
		return drop
	})
}

// shake loses, doubles and swaps some packets of a hundred.
func (r *relay) shake(seed uint64) {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(seed, 0))
	r.treat(func([]byte) fate {
		mu.Lock()
		defer mu.Unlock()
		switch n := random.IntN(100); {
		case n < 5:
			return drop
		case n < 8:
			return duplicate
		case n < 13:
			return swap
		}
		return pass
	})
}

// forward relays one direction until the sockets are closed.
func (r *relay) forward(from, to *net.UDPConn, route func(from netip.AddrPort) netip.AddrPort) {
	buf, late := make([]byte, 1<<16), []byte(nil)
	for {
		n, source, err := from.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		dest := route(netip.AddrPortFrom(source.Addr().Unmap(), source.Port()))
		if !dest.IsValid() {
			continue
		}
		// A packet that cannot be sent is one more that is lost.
		switch (*r.fate.Load())(buf[:n]) {
		case duplicate:
			_, _ = to.WriteToUDPAddrPort(buf[:n], dest)
			fallthrough
		case pass:
			_, _ = to.WriteToUDPAddrPort(buf[:n], dest)
		case swap:
			if late == nil {
				late = append(late, buf[:n]...)
				continue
			}
			_, _ = to.WriteToUDPAddrPort(buf[:n], dest)
		case drop:
			continue
		}
		if late != nil {
			_, _ = to.WriteToUDPAddrPort(late, dest)
			late = nil
		}
	}
}

// via returns the address of a socket as it is seen from the other side of a relay.
func via(addr socket.Addr, side *net.UDPConn) socket.Addr {
	addr.UDP = side.LocalAddr().(*net.UDPAddr).AddrPort().Port()
	return addr
}

// relayed makes two sockets with an association that goes by way of a relay.
func (s *suite) relayed(c socket.Config) (a, b *assoc, r *relay) {
	s.Helper()
	x, y := s.open(c), s.open(c)
	r = s.relay(y.LocalAddrs()[0])
	a = x.connect(via(y.LocalAddrs()[0], r.left))
	a.until("Up", func() bool { return a.up })
	return a, y.only(), r
}
