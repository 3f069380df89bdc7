package associations

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake/handshaketest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// flooder is a UDP socket of an attacker that collects cookies and uses them all at once.
type flooder struct {
	testing.TB
	conn *net.UDPConn
	to   uint16
	// tickets are COOKIE ECHO packets.
	tickets [][]byte
}

func newFlooder(t testing.TB, v *transport) *flooder {
	addrs, err := parseAddrs(v.Address())
	require.NoError(t, err)
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(addrs[0].IP, addrs[0].UDP)))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return &flooder{TB: t, conn: conn, to: addrs[0].Port}
}

// collect gets a cookie for each of n SCTP ports.
func (f *flooder) collect(n int) {
	f.Helper()
	for len(f.tickets) < n {
		s := enginetest.Stranger{From: uint16(1000 + len(f.tickets)), To: f.to}
		f.tickets = append(f.tickets, s.CookieEcho(f.ask(&s)))
	}
}

// ask asks for a cookie until there is one: the victim refuses packets of a flood.
func (f *flooder) ask(s *enginetest.Stranger) []byte {
	for {
		require.NoError(f, f.conn.SetReadDeadline(time.Now().Add(time.Second)))
		cookie, err := s.Ask(f.conn)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			require.NoError(f, err)
			return cookie
		}
	}
}

// play uses all cookies, again and again until the context ends. It goes on when it has been
// answered: more than the victim can take would be lost, and the members' packets with it.
func (f *flooder) play(ctx context.Context) {
	answer := make([]byte, 1<<16)
	for ctx.Err() == nil {
		for burst := range slices.Chunk(f.tickets, 100) {
			for _, b := range burst {
				_, _ = f.conn.Write(b)
			}
			_ = f.conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
			for range burst {
				_, _ = f.conn.Read(answer)
			}
		}
	}
}

// TestCookiesUsedAtOnceKeepNoMemberOut: unauthenticated associations take all places, but neither a
// rank that calls this process nor one that this process calls is kept out.
func TestCookiesUsedAtOnceKeepNoMemberOut(t *testing.T) {
	ranks := pair(t, Options{})
	ctx, stop := context.WithCancel(t.Context())
	var attack sync.WaitGroup
	defer func() { stop(); attack.Wait() }()
	for range 3 { // as one source is heard 256 times a second
		f := newFlooder(t, ranks[0])
		f.collect(100) // of 66 places
		attack.Go(func() { f.play(ctx) })
	}
	ranks[1].need(0, true)
	ranks[1].waitOpen(0)
	ranks[1].say(t, 0, "let in")
	ranks[0].waitHeard(1, "let in")
	ranks[0].waitOpen(1)
}

// refuser is a raw socket in the place of rank 1, which the victim calls.
func refuser(t *testing.T, c socket.Config) (*transport, *handshaketest.Outsider) {
	o := handshaketest.Listen(t, c)
	return callerOf(t, o), o
}

// callerOf returns a victim that calls an outsider, whom it takes for rank 1.
func callerOf(t *testing.T, o *handshaketest.Outsider) *transport {
	v := victim(t, func(cfg *rpi.Config) {
		cfg.ConnectTimeout = patience
		cfg.Lookup = func(context.Context, int) (string, error) { return formatAddrs(o.LocalAddrs()), nil }
	})
	v.need(1, true)
	return v
}

// join goes through the handshake with a victim that has called.
func join(o *handshaketest.Outsider) {
	o.ID = o.Await(socket.Up).Assoc
	o.Join(rank1(), 2)
}

// TestRejectedMembersTryAgain: whatever of the set-up or the handshake a peer has rejected.
func TestRejectedMembersTryAgain(t *testing.T) {
	t.Run("after the set-up", func(t *testing.T) {
		v, o := refuser(t, socket.Config{})
		for range 3 {
			require.NoError(t, o.Abort(o.Await(socket.Up).Assoc, "a crowd"))
		}
		join(o)
		v.waitOpen(1)
	})
	t.Run("in the set-up", func(t *testing.T) {
		o := handshaketest.Listen(t, socket.Config{MaxAssociations: 1})
		other := handshaketest.Listen(t, socket.Config{})
		_, err := other.Connect(o.LocalAddrs()...)
		require.NoError(t, err)
		first := o.Await(socket.Up).Assoc
		v := callerOf(t, o)
		v.waitRejection(1)
		require.NoError(t, o.Abort(first, "room for others"))
		join(o)
		v.waitOpen(1)
	})
}

// TestAProcessWithoutTheTokenDoesNotTryAgain: it is told at once, and says so.
func TestAProcessWithoutTheTokenDoesNotTryAgain(t *testing.T) {
	v, o := refuser(t, socket.Config{})
	require.NoError(t, o.Abort(o.Await(socket.Up).Assoc, rejected))
	require.ErrorContains(t, v.waitFailed(1), rejected)
}

// TestLastErrorIsNamedInTheEnd: when the time is up, which here is as soon as a peer has rejected one.
func TestLastErrorIsNamedInTheEnd(t *testing.T) {
	v, _ := refuser(t, socket.Config{RefuseIncoming: true})
	v.waitRejection(1)
	v.decide(func() { v.overdue(v.Peer(1)) })
	cause := v.waitFailed(1)
	require.ErrorContains(t, cause, "cause 4")
	require.ErrorContains(t, cause, "no connection within 1m0s")
}

// waitRejection waits until a peer has rejected an attempt to connect.
func (u *transport) waitRejection(by matching.Rank) {
	u.wait(func() bool { return u.Peer(by).lastErr != nil })
}

// TestUnauthenticatedPeersGetASmallWindow: the receive window is small until the proof, and then as large as
// that of any peer.
func TestUnauthenticatedPeersGetASmallWindow(t *testing.T) {
	window := func(o *handshaketest.Outsider) int {
		status, err := o.Status(o.ID)
		require.NoError(t, err)
		return status.PeerWindow
	}
	v := victim(t, nil)
	o := dial(t, v)
	o.Await(socket.Up)
	assert.LessOrEqual(t, window(o), unauthenticatedBuffer)
	require.Equal(t, handshake.Accepted, o.ShakeHands(rank1(), 2)) // after the result, at the latest
	assert.Greater(t, window(o), receiveBuffer/2)
}
