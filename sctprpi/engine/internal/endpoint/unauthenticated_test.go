package endpoint

import (
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/heaptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// tickets returns COOKIE ECHO packets of many strangers behind one UDP port, each from an
// SCTP port of its own.
func (r *rig) tickets(n int) (echoes [][]byte) {
	port, said := r.port, r.said
	for i := range n {
		r.port = uint16(20_000 + i)
		cookie := wire.AppendCookieEcho(nil, r.cookie())
		echoes = append(echoes, r.pack(r.said.Tag, cookie))
	}
	r.port, r.said = port, said
	return echoes
}

// An attacker can collect cookies and use them all at once. They take the places of unauthenticated
// associations, not those of others, and not for ever.
func TestFloodOfCookiesKeepsNoPeerOut(t *testing.T) {
	r := newRig(t, socket.Config{MaxAssociations: 4, MaxUnauthenticated: 8}).accepted()
	member, memberTag := r.assoc, r.said.Tag
	require.NoError(t, r.Authenticated(member))
	home := r.from
	r.from = stranger
	flood := r.tickets(500)
	late := netip.MustParseAddrPort("192.0.2.3:9899")
	r.from = late
	cookie := r.cookie()
	echo := r.pack(r.said.Tag, wire.AppendCookieEcho(nil, cookie))
	play := func() {
		for _, b := range flood {
			r.give(stranger, b)
		}
	}
	play()
	play()
	assert.LessOrEqual(t, r.Associations(), 1+2*8)

	// A member gets in, and stays while the flood goes on.
	r.chunk(r.give(late, echo), wire.TypeCookieAck)
	newcomer := r.byPeer[peer{late, r.port}].ID()
	play()
	assert.NotNil(t, r.byID[newcomer])
	require.NoError(t, r.Authenticated(newcomer))

	// Peers that this end calls have their own places too.
	r.from = netip.MustParseAddrPort("192.0.2.4:9899")
	r.dialed()
	called := r.assoc
	play()
	for _, id := range []socket.AssocID{member, newcomer, called} {
		status, err := r.Status(id)
		require.NoError(t, err)
		assert.True(t, status.Established)
	}
	r.from, r.said.Tag = home, memberTag
	r.chunk(r.say(r.data(0, 0, "unharmed")), wire.TypeSACK)
	assert.LessOrEqual(t, r.backlog.Len(), 8)
}

// While the program does not read, associations that it has not been told of leave nothing behind.
func TestUnreportedAssociationsLeaveNothing(t *testing.T) {
	r := newRig(t, socket.Config{MaxUnauthenticated: 8})
	r.unread = true
	for range 3 {
		for i, b := range r.tickets(1000) {
			sent := r.give(r.from, b)
			if i >= 8 {
				assert.Equal(t, []wire.CauseCode{wire.CauseOutOfResource}, r.causes(sent, wire.TypeAbort))
			}
			require.LessOrEqual(t, r.Associations(), 8)
		}
	}
	flood := r.tickets(1000)
	before := heaptest.InUse()
	for _, b := range flood {
		r.give(r.from, b)
	}
	assert.Less(t, heaptest.InUse()-before, 256<<10)
	runtime.KeepAlive(flood)
	// Nor do associations that their peers end at once.
	tag := r.said.Tag
	for range 100 {
		cookie := wire.AppendCookieEcho(nil, r.cookie())
		r.say(cookie, wire.AppendAbort(nil, false, nil))
		require.LessOrEqual(t, r.Associations(), 8)
	}
	r.said.Tag = tag
	r.unread = false
	r.run()
	ups := 0
	for _, k := range r.happened() {
		require.Equal(t, socket.Up, k, "an end without a beginning")
		ups++
	}
	assert.LessOrEqual(t, ups, 8)
	for id := range r.byID {
		require.NoError(t, r.Abort(id, ""))
	}
	r.run()
	r.gone()
	assert.Zero(t, r.backlog.Len())
	assert.Zero(t, r.unauthenticated)
}

// The user is told of the end of each association that it knows of, and the peer is told the cause.
func TestUnauthenticatedPeerIsToldWhyItIsAborted(t *testing.T) {
	r := newRig(t, socket.Config{MaxUnauthenticated: 1}).accepted()
	r.from = stranger
	r.offer.Tag++
	sent := r.say(wire.AppendCookieEcho(nil, r.cookie()))
	assert.Equal(t, []wire.CauseCode{wire.CauseOutOfResource}, r.causes(sent, wire.TypeAbort))
	r.chunk(sent, wire.TypeCookieAck)
	assert.Equal(t, []socket.Kind{socket.Up, socket.Up, socket.Aborted}, r.happened())
	var abort *socket.AbortError
	require.ErrorAs(t, r.lastEvent().Err, &abort)
	assert.False(t, abort.Remote)
	assert.EqualValues(t, wire.CauseOutOfResource, abort.Cause)
	assert.Equal(t, 1, r.Associations())
}

// An association that the peer has begun and this end asks for is not a stranger's any more.
func TestConnectKeepsThePeersAssociation(t *testing.T) {
	r := newRig(t, socket.Config{MaxUnauthenticated: 1}).accepted()
	id, err := r.Connect(r.now, socket.Addr{IP: r.from.Addr(), Port: r.port, UDP: r.from.Port()})
	require.NoError(t, err)
	require.Equal(t, r.assoc, id)
	r.from = stranger
	for _, b := range r.tickets(5) {
		r.give(r.from, b)
	}
	assert.NotNil(t, r.byID[id])
}

// A peer that has not authenticated has a small receive buffer at this end: the set-up announces
// that size, and the peer gets no more whatever it sends.
func TestUnauthenticatedPeersHaveASmallWindow(t *testing.T) {
	const small, large = 64 << 10, 8 << 20
	for _, dials := range []bool{false, true} {
		r := newRig(t, socket.Config{ReceiveBuffer: large, UnauthenticatedBuffer: small})
		if dials {
			r.dialed()
		} else {
			r.accepted()
		}
		assert.EqualValues(t, small, r.said.Window)
		r.tsn++ // which never comes, so that nothing can be delivered
		for n := range wire.SSN(2000) {
			r.say(r.data(0, 1+n, string(make([]byte, 1000))))
		}
		status, err := r.Status(r.assoc)
		require.NoError(t, err)
		assert.LessOrEqual(t, status.Held, small)
		assert.LessOrEqual(t, r.pool.Lent()*2048, 2*small+4096, "memory")
		require.NoError(t, r.Abort(r.assoc, ""))
		r.run()
		r.gone()
	}
}

// When it is known it gets the large one, and hears of that at once.
func TestWindowGrowsWhenThePeerIsKnown(t *testing.T) {
	const small, large = 64 << 10, 8 << 20
	r := newRig(t, socket.Config{ReceiveBuffer: large, UnauthenticatedBuffer: small}).accepted()
	s, _ := r.sacked(r.say(r.data(0, 0, "who I am")))
	assert.InDelta(t, small, s.Window, 256)
	require.NoError(t, r.Authenticated(r.assoc))
	s, n := r.sacked(r.run())
	require.Equal(t, 1, n)
	assert.EqualValues(t, large, s.Window)
	r.tsn++
	for n := range wire.SSN(1000) {
		r.say(r.data(0, 2+n, string(make([]byte, 1000))))
	}
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	assert.Equal(t, 1000*1000, status.Held)

	// The peer that restarts the association may be another one.
	r.forget()
	r.chunk(r.say(wire.AppendCookieEcho(nil, r.cookie())), wire.TypeCookieAck)
	assert.EqualValues(t, small, r.said.Window)
	s, _ = r.sacked(r.say(r.data(0, 0, "who are you")))
	assert.InDelta(t, small, s.Window, 256)

	assert.ErrorIs(t, r.Authenticated(999), socket.ErrAssoc)
	require.NoError(t, r.Abort(r.assoc, ""))
	r.run()
	assert.ErrorIs(t, r.Authenticated(r.assoc), socket.ErrAssoc)
}

// Over a network the data that follows is not slower than with a large window from the first.
func TestAuthenticationOpensTheWindowForData(t *testing.T) {
	took := func(authenticate bool, first int) time.Duration {
		p := newPair(t, socket.Config{ReceiveBuffer: 8 << 20, UnauthenticatedBuffer: first, SendBuffer: 8 << 20, RTOMin: time.Second})
		id := p.connect()
		if authenticate {
			p.b.do(func(time.Duration) { require.NoError(t, p.b.Authenticated(p.seenB[0].Assoc)) })
			p.until("the window is open", func() bool { s, err := p.a.Status(id); return err == nil && s.PeerWindow > 1<<20 })
		}
		start := p.net.Now()
		p.send(p.a, id, text(0, string(make([]byte, 4<<20))))
		p.until("all arrives", func() bool { return len(p.dataB) == 1 })
		return p.net.Now() - start
	}
	large := took(false, 8<<20)
	assert.InDelta(t, large.Seconds(), took(true, 64<<10).Seconds(), 0.03)
	assert.Greater(t, took(false, 64<<10), 2*large)
}

func TestOptionsForUnauthenticatedPeersAreChecked(t *testing.T) {
	for _, c := range []socket.Config{
		{MaxUnauthenticated: -1}, {UnauthenticatedBuffer: 1 << 10}, {UnauthenticatedBuffer: -1},
		{ReceiveBuffer: 1 << 20, UnauthenticatedBuffer: 2 << 20},
	} {
		_, err := New(Config{Config: c, Port: rigPort})
		assert.Error(t, err)
	}
}
