package main

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	lossPercent    = 2
	reorderPercent = 2
	// reorderBy is how many datagrams may overtake one, at most.
	reorderBy = 8
)

// relay is a bad network between two UDP sockets. It loses datagrams and reorders others. For that
// it needs no clock: it keeps a datagram back until a number of later ones have passed.
type relay struct {
	// atEngine is the address to which the engine sends, atPion that to which pion sends.
	atEngine, atPion netip.AddrPort
	// calm: it loses and reorders nothing any more.
	calm atomic.Bool
}

func newRelay(t *testing.T, engine, pion netip.AddrPort, seed uint64) *relay {
	t.Helper()
	a, err := listenUDP()
	require.NoError(t, err)
	b, err := listenUDP()
	require.NoError(t, err)
	done := make(chan struct{}, 2)
	r := &relay{atEngine: address(a), atPion: address(b)}
	go func() { r.forward(b, a, engine, rand.New(rand.NewPCG(seed, 1))); done <- struct{}{} }()
	go func() { r.forward(a, b, pion, rand.New(rand.NewPCG(seed, 2))); done <- struct{}{} }()
	t.Cleanup(func() {
		_ = a.Close()
		_ = b.Close()
		<-done
		<-done
	})
	return r
}

// forward sends what one socket receives to a target, by the other socket, until one of them is
// closed.
func (r *relay) forward(from, by *net.UDPConn, to netip.AddrPort, random *rand.Rand) {
	buffer := make([]byte, 1<<16)
	var kept []byte
	countdown := 0
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		switch chance := random.IntN(100); {
		case r.calm.Load():
			countdown = 0
		case chance < lossPercent:
			continue
		case chance < lossPercent+reorderPercent && kept == nil:
			kept, countdown = append([]byte{}, buffer[:n]...), 1+random.IntN(reorderBy)
			continue
		}
		if _, err := by.WriteToUDPAddrPort(buffer[:n], to); err != nil {
			return
		}
		if countdown--; kept != nil && countdown <= 0 {
			if _, err := by.WriteToUDPAddrPort(kept, to); err != nil {
				return
			}
			kept = nil
		}
	}
}

func address(c *net.UDPConn) netip.AddrPort { return c.LocalAddr().(*net.UDPAddr).AddrPort() }
