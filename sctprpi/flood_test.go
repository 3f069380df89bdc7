package sctprpi

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
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

func newFlooder(t testing.TB, v *Transport) *flooder {
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
		require.NoError(f, f.conn.SetReadDeadline(time.Now().Add(patience)))
		b, err := enginetest.CookieEcho(f.conn, uint16(1000+len(f.tickets)), f.to)
		require.NoError(f, err)
		f.tickets = append(f.tickets, b)
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
	var ranks [2]*Transport
	for rank := range ranks {
		var err error
		ranks[rank], err = New(rpi.Config{Rank: rank, Size: 2, Token: token, Lookup: func(_ context.Context, peer int) (string, error) {
			return ranks[peer].Address(), nil
		}}, Options{})
		require.NoError(t, err)
		t.Cleanup(ranks[rank].Kill)
	}
	f := newFlooder(t, ranks[0])
	f.collect(300) // 66 places
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); f.play(ctx) }()
	defer func() { stop(); <-ended }()
	out := &rpi.Request{Op: rpi.OpSend, Peer: 0, Type: 1, Elem: 1, Buf: []byte{7}}
	in := receiveFrom(int(matching.AnySource))
	ranks[0].Start(in)
	ranks[1].Start(out)
	<-out.Done()
	require.NoError(t, out.Err)
	<-in.Done()
	require.NoError(t, in.Err)
}

// refuser is a raw socket in the place of rank 1, which the victim calls.
func refuser(t *testing.T, c socket.Config) (*Transport, *outsider) {
	s, err := engine.Listen(engine.Config{Config: c, NoChecksum: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	v := victim(t, func(cfg *rpi.Config) {
		cfg.ConnectTimeout = patience
		cfg.Lookup = func(context.Context, int) (string, error) { return formatAddrs(s.LocalAddrs()), nil }
	})
	return v, &outsider{TB: t, victim: v, Socket: s}
}

// join goes through the handshake with a victim that has called.
func (o *outsider) join() {
	o.id = o.await(socket.Up).Assoc
	require.Equal(o, accepted, o.shakeHands(o.rank1(), token))
	o.say(control, []byte{byte(accepted)})
}

// TestRejectedMembersTryAgain: whatever of the set-up or the handshake a peer has rejected.
func TestRejectedMembersTryAgain(t *testing.T) {
	out := func() *rpi.Request { return &rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1, Buf: []byte{7}} }
	t.Run("after the set-up", func(t *testing.T) {
		v, o := refuser(t, socket.Config{})
		r := out()
		v.Start(r)
		for range 3 {
			require.NoError(t, o.Abort(o.await(socket.Up).Assoc, "a crowd"))
		}
		o.join()
		<-r.Done()
		require.NoError(t, r.Err)
	})
	t.Run("in the set-up", func(t *testing.T) {
		v, o := refuser(t, socket.Config{MaxAssociations: 1})
		other, err := engine.Listen(engine.Config{NoChecksum: true})
		require.NoError(t, err)
		t.Cleanup(func() { _ = other.Close() })
		_, err = other.Connect(o.LocalAddrs()...)
		require.NoError(t, err)
		first := o.await(socket.Up).Assoc
		r := out()
		v.Start(r)
		v.awaitRejection(1)
		require.NoError(t, o.Abort(first, "room for others"))
		o.join()
		<-r.Done()
		require.NoError(t, r.Err)
	})
}

// TestAProcessWithoutTheTokenDoesNotTryAgain: it is told at once, and says so.
func TestAProcessWithoutTheTokenDoesNotTryAgain(t *testing.T) {
	v, o := refuser(t, socket.Config{})
	r := &rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1, Buf: []byte{7}}
	v.Start(r)
	require.NoError(t, o.Abort(o.await(socket.Up).Assoc, rejected))
	<-r.Done()
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	require.ErrorContains(t, r.Err, rejected)
}

// TestLastErrorIsNamedInTheEnd: when the time is up, which here is as soon as a peer has rejected one.
func TestLastErrorIsNamedInTheEnd(t *testing.T) {
	s, err := engine.Listen(engine.Config{Config: socket.Config{RefuseIncoming: true}, NoChecksum: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	v := victim(t, func(cfg *rpi.Config) {
		cfg.ConnectTimeout = patience
		cfg.Lookup = func(context.Context, int) (string, error) { return formatAddrs(s.LocalAddrs()), nil }
	})
	r := &rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1, Buf: []byte{7}}
	v.Start(r)
	v.awaitRejection(1)
	v.decide(func() { v.overdue(v.peer(1)) })
	<-r.Done()
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	require.ErrorContains(t, r.Err, "cause 4")
	require.ErrorContains(t, r.Err, "no connection within 1m0s")
}

// awaitRejection waits until a peer has rejected an attempt to connect.
func (t *Transport) awaitRejection(by matching.Rank) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.peer(by).lastErr == nil {
		t.changed.Wait()
	}
}

// TestUnauthenticatedPeersGetASmallWindow: the receive window is small until the proof, and then as large as
// that of any peer.
func TestUnauthenticatedPeersGetASmallWindow(t *testing.T) {
	window := func(o *outsider) int {
		status, err := o.Status(o.id)
		require.NoError(t, err)
		return status.PeerWindow
	}
	v := victim(t, nil)
	o := newOutsider(t, v)
	o.await(socket.Up)
	assert.LessOrEqual(t, window(o), unauthenticatedBuffer)
	require.Equal(t, accepted, o.shakeHands(o.rank1(), token)) // after the result, at the latest
	assert.Greater(t, window(o), receiveBuffer/2)
}
