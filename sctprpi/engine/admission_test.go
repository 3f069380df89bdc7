package engine

import (
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
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
