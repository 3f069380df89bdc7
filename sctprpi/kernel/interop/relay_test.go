//go:build !race && linux

package interop

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// relay is a box between two sockets. To each it looks like the other one, at another
// UDP port: that of left to the first, that of right to the second.
type relay struct {
	left, right *net.UDPConn
	fate        atomic.Int32
}

// What a relay does with packets: it passes all, none, or those that set associations up.
const (
	passAll int32 = iota
	passNone
	passSetup
)

// newRelay makes a relay between two UDP ports of loopback.
func newRelay(t testing.TB, first, second uint16) *relay {
	open := func() *net.UDPConn {
		conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: loopback.AsSlice()})
		require.NoError(t, err)
		return conn
	}
	r := &relay{left: open(), right: open()}
	var both sync.WaitGroup
	both.Go(func() { r.forward(r.left, r.right, second) })
	both.Go(func() { r.forward(r.right, r.left, first) })
	t.Cleanup(func() {
		_ = r.left.Close()
		_ = r.right.Close()
		both.Wait()
	})
	return r
}

func (r *relay) forward(from, to *net.UDPConn, port uint16) {
	packet := make([]byte, 1<<16)
	for {
		n, _, err := from.ReadFromUDPAddrPort(packet)
		if err != nil {
			return
		}
		if r.passes(packet[:n]) {
			_, _ = to.WriteToUDPAddrPort(packet[:n], netip.AddrPortFrom(loopback, port))
		}
	}
}

func (r *relay) passes(packet []byte) bool {
	const commonHeader = 12
	switch r.fate.Load() {
	case passAll:
		return true
	case passSetup:
		if len(packet) > commonHeader {
			switch packet[commonHeader] {
			case 1, 2, 10, 11: // INIT, INIT ACK, COOKIE ECHO, COOKIE ACK
				return true
			}
		}
	}
	return false
}

func port(c *net.UDPConn) uint16 { return c.LocalAddr().(*net.UDPAddr).AddrPort().Port() }
