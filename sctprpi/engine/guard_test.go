package engine

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// closed is a guard that opens nothing, and counts it.
type closed struct {
	socket.Guard
	refused int
}

func (*closed) Overhead() (before, behind int) { return 28, 16 }

func (c *closed) Open(time.Duration, []byte, netip.AddrPort) ([]byte, socket.Sender, bool) {
	c.refused++
	return nil, socket.Sender{}, false
}

func (*closed) Next() (datagram []byte, to netip.AddrPort, ok bool) { return nil, to, false }

// TestWhatDoesNotOpenTakesNoLock: a flood of INIT chunks is read while another goroutine has the lock.
func TestWhatDoesNotOpenTakesNoLock(t *testing.T) {
	g := new(closed)
	s, err := Open(Config{Config: socket.Config{Guard: g}})
	require.NoError(t, err)
	at := s.LocalAddrs()[0]
	conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(at.IP, at.UDP)))
	require.NoError(t, err)
	defer conn.Close()
	b := initFrom(1, at.Port)
	const flood = 1000
	s.mu.Lock()
	for range flood {
		_, err := conn.Write(b)
		require.NoError(t, err)
		s.readAll()
	}
	for g.refused < flood {
		s.readAll()
	}
	require.Zero(t, s.ep.Stats())
	s.mu.Unlock()
	require.NoError(t, s.Close())
}
