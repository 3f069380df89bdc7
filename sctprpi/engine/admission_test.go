package engine

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
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

// TestAFloodFromManyPortsKeepsNoExpectedPeerOut: the user is told of the flood, and says what it expects. No time passes.
func TestAFloodFromManyPortsKeepsNoExpectedPeerOut(t *testing.T) {
	s, err := Open(Config{})
	require.NoError(t, err)
	defer s.Close()
	source := func(port int) netip.AddrPort {
		return netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), uint16(port))
	}
	expected, reports := socket.Addr{IP: source(1).Addr(), Port: 1, UDP: 1}, 0
	s.OnRefusal(func() {
		s.Expect(expected)
		reports++
	})
	b := initFrom(1, s.LocalAddrs()[0].Port)
	admitted := func(port func(i int) int) (n int) {
		for i := range s.in {
			s.in[i] = packet.Datagram{From: source(port(i)), Bytes: b}
		}
		s.admit(time.Second, len(s.in))
		for i := range s.in {
			s.in[i] = packet.Datagram{}
			if s.admitted[i] {
				n++
			}
		}
		return n
	}
	sent := 0
	for admitted(func(int) int { sent++; return 1000 + sent%1600 }) > 0 {
	}
	assert.NotZero(t, reports)
	assert.Zero(t, admitted(func(int) int { return 2 }))
	assert.Equal(t, len(s.in), admitted(func(int) int { return 1 }))
}
