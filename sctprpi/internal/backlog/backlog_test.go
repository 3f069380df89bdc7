package backlog

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func at(ip string, udp, port uint16) socket.Addr {
	return socket.Addr{IP: netip.MustParseAddr(ip), UDP: udp, Port: port}
}

func TestThereIsRoomUpToTheBound(t *testing.T) {
	b := New(3)
	for id := range socket.AssocID(3) {
		assert.Zero(t, b.Add(1+id, at("10.0.0.1", 1, 1)))
	}
	assert.Equal(t, 3, b.Len())
	b.Remove(2)
	b.Remove(77)
	assert.Equal(t, 2, b.Len())
	assert.Zero(t, b.Add(9, at("10.0.0.1", 1, 1)))
}

func TestTheOldestGoesAmongEquals(t *testing.T) {
	b := New(2)
	b.Add(1, at("10.0.0.1", 1, 1))
	b.Add(2, at("10.0.0.2", 1, 1))
	assert.EqualValues(t, 1, b.Add(3, at("10.0.0.3", 1, 1)))
	assert.EqualValues(t, 2, b.Add(4, at("10.0.0.4", 1, 1)))
	assert.Equal(t, 2, b.Len())
}

// A flood from one UDP port, whatever its SCTP ports, or from one SCTP port without UDP,
// pushes out itself alone.
func TestAFloodFromOneSocketPushesOutItself(t *testing.T) {
	for _, flood := range []func(i uint16) socket.Addr{
		func(i uint16) socket.Addr { return at("10.0.0.1", 7, i) },
		func(uint16) socket.Addr { return at("10.0.0.1", 0, 7) },
	} {
		b := New(8)
		for id := range socket.AssocID(4) {
			b.Add(1+id, at("10.0.0.1", 100+uint16(id), 1))
		}
		for i := range uint16(1000) {
			if victim := b.Add(1000+socket.AssocID(i), flood(i)); victim != 0 {
				assert.Greater(t, victim, socket.AssocID(4))
			}
		}
		assert.Equal(t, 8, b.Len())
	}
}

// So does one from many ports of one host, if others have one association each.
func TestAFloodFromOneHostPushesOutItself(t *testing.T) {
	b := New(8)
	for id := range socket.AssocID(4) {
		b.Add(1+id, at("10.0.0.2", 100+uint16(id), 1))
	}
	for i := range uint16(1000) {
		victim := b.Add(1000+socket.AssocID(i), at("10.0.0.1", 1000+i, 1))
		if i >= 8 { // as many as the others, and then more
			assert.Greater(t, victim, socket.AssocID(4))
		}
	}
}

func TestNothingIsLeftOfWhatHasGone(t *testing.T) {
	b := New(4)
	for i := range uint16(100) {
		b.Add(1+socket.AssocID(i), at("10.0.0.1", 1+i, 1))
	}
	for i := range uint16(100) {
		b.Remove(1 + socket.AssocID(i))
	}
	assert.Zero(t, b.Len())
	assert.Empty(t, b.sources)
	assert.Empty(t, b.hosts)
}
