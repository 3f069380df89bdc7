package handshake

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// from is one end of a connection that comes from an address.
type from struct {
	net.Conn
	address string
}

func (f from) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(f.address), Port: 4711} }

// visitor enters the gate from an address. ours is this process's end, which tells whether it is closed.
func visitor(t *testing.T, gate *Gate, address string) (p *Pending, ours net.Conn) {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { theirs.Close() })
	p = gate.Enter(t.Context(), from{ours, address})
	require.NotNil(t, p)
	return p, ours
}

// isClosed reports whether this process has closed its end of a connection.
func isClosed(ours net.Conn) bool { return ours.SetDeadline(time.Now()) != nil }

// A thousand silent connections come and go; one that has proven itself, or is about to, stays.
func TestRanksOfTheJobAreNotEvicted(t *testing.T) {
	gate := NewGate(1024)
	member, proven := visitor(t, gate, "127.0.0.1")
	require.True(t, member.Admit())
	elsewhere, waiting := visitor(t, gate, "192.0.2.7")
	for range 1100 {
		visitor(t, gate, "127.0.0.1")
	}
	require.False(t, isClosed(proven))
	require.False(t, isClosed(waiting))
	require.Equal(t, 64, gate.unproven.Taken())
	require.True(t, elsewhere.Admit())
	member.Leave()
	elsewhere.Leave()
	require.Zero(t, gate.admitted)
}

func TestWhatWasSentAwayIsNotAdmitted(t *testing.T) {
	gate := NewGate(0) // 2 places
	gate.Evict()       // no connection
	p, ours := visitor(t, gate, "127.0.0.1")
	gate.Evict()
	require.True(t, isClosed(ours))
	require.False(t, p.Admit())
	p.Leave()
	require.Zero(t, gate.unproven.Taken())
}

// Ranks of the job that wait for a descriptor bound each other, and no other processes.
func TestAsManyRanksAreInTheirHandshakeAsThereArePlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := NewGate(0) // 2 places
		members := make([]*Pending, 2)
		for i := range members {
			members[i], _ = visitor(t, gate, "127.0.0.1")
			require.True(t, members[i].Admit())
		}
		entered := make(chan *Pending)
		ours, _ := net.Pipe()
		go func() { entered <- gate.Enter(t.Context(), ours) }()
		synctest.Wait()
		require.Zero(t, gate.unproven.Taken())
		members[0].Leave()
		require.NotNil(t, <-entered)
	})
}

func TestNoPeerEntersWhenTheTransportHasEnded(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	ours, _ := net.Pipe()
	require.Nil(t, NewGate(0).Enter(ended, ours))
	require.True(t, isClosed(ours))
}

// Connections of ranks that wait for something do so only while others find a place.
func TestHalfOfThePlacesMayWait(t *testing.T) {
	gate := NewGate(64) // 4 places
	var members []*Pending
	for i := range 4 {
		member, _ := visitor(t, gate, "192.0.2.7")
		require.True(t, member.Admit())
		require.Equal(t, i >= 2, member.Crowded())
		members = append(members, member)
	}
	members[0].Leave()
	require.True(t, members[1].Crowded())
	members[3].Leave()
	require.False(t, members[1].Crowded())
}
