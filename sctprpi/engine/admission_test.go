package engine

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// initFrom is a packet with an INIT chunk.
func initFrom(port, to uint16) []byte {
	init := wire.Init{Tag: 1, Window: 1 << 20, OutStreams: 10, InStreams: 10, TSN: 1}
	b := wire.AppendInit(wire.AppendHeader(nil, wire.Header{SourcePort: port, DestinationPort: to}), &init)
	wire.SetChecksum(b)
	return b
}

// TestFloodOfInitsIsNotHeard: most of it costs neither the lock nor an answer.
func TestFloodOfInitsIsNotHeard(t *testing.T) {
	s, err := Open(Config{})
	require.NoError(t, err)
	defer s.Close()
	at := s.LocalAddrs()[0]
	conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(at.IP, at.UDP)))
	require.NoError(t, err)
	defer conn.Close()
	b := initFrom(1, at.Port)
	const flood = 10_000
	for range flood {
		_, err := conn.Write(b)
		require.NoError(t, err)
		s.readAll()
	}
	for done := uint64(0); done < flood; {
		s.readAll()
		stats := s.ep.Stats()
		done = stats.Inits + stats.Flooding
	}
	assert.Less(t, s.ep.Stats().Inits, uint64(flood/4)) // the less the faster
	assert.Zero(t, s.ep.Stats().Unchecked)
}

// TestAFloodFromManyPortsKeepsNoExpectedPeerOut: the user is told of the flood, and says what it expects.
func TestAFloodFromManyPortsKeepsNoExpectedPeerOut(t *testing.T) {
	s, err := Open(Config{Config: socket.Config{MaxAssociations: 1}})
	require.NoError(t, err)
	defer s.Close()
	at := s.LocalAddrs()[0]
	open := func() *net.UDPConn {
		conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(at.IP, at.UDP)))
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	peer, b := open(), initFrom(1, at.Port)
	own := peer.LocalAddr().(*net.UDPAddr).AddrPort()
	reports := 0
	s.OnRefusal(func() {
		if reports++; reports == 1 {
			s.Expect(socket.Addr{IP: own.Addr(), Port: 1, UDP: own.Port()})
		}
	})
	var strangers []*net.UDPConn
	for range 64 {
		strangers = append(strangers, open())
	}
	const tries = 20
	for range tries {
		for range 64 {
			for _, conn := range strangers {
				_, err := conn.Write(b)
				require.NoError(t, err)
			}
			s.readAll()
		}
		_, err := peer.Write(b)
		require.NoError(t, err)
		for waits := true; waits; waits = s.readAll() {
		}
	}
	assert.NotZero(t, reports)
	answer := make([]byte, 1<<16)
	require.NoError(t, peer.SetReadDeadline(time.Now().Add(time.Minute)))
	for range tries {
		_, err := peer.Read(answer)
		require.NoError(t, err)
	}
}
