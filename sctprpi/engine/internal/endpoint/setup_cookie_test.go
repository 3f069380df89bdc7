package endpoint

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/heaptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Section 5.1.3: nothing is kept of an INIT before its cookie comes back, and the
// answers that wait are bounded, however many are owed.
func TestFloodOfInitsLeavesNoState(t *testing.T) {
	r := newRig(t, socket.Config{})
	rng := random(1)
	flood := func() {
		for range 10_000 {
			from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, byte(rng.Uint32()), byte(rng.Uint32())}), uint16(1+rng.IntN(65_535)))
			offer := r.offer
			offer.Tag = wire.VerificationTag(rng.Uint32() | 1)
			b := r.pack(0, wire.AppendInit(nil, &offer))
			d := r.datagram(from, b)
			r.Receive(r.now, &d)
			d.Buffer.Release()
		}
	}
	flood()
	require.True(t, r.Sending())
	assert.Len(t, r.run(), maxReplies)
	r.gone()
	assert.EqualValues(t, 10_000, r.Stats().Inits)

	before := heaptest.InUse()
	flood()
	r.run()
	assert.Less(t, heaptest.InUse()-before, 256<<10)
	assert.Empty(t, r.events)
}

// Section 5.1.5: what this endpoint has not signed is dropped in silence, whichever
// bit of it is wrong, and however short it is.
func TestForgedCookiesAreDropped(t *testing.T) {
	r := newRig(t, socket.Config{})
	good := r.cookie()
	forged := uint64(0)
	refuse := func(b []byte) {
		t.Helper()
		assert.Empty(t, r.say(wire.AppendCookieEcho(nil, b)))
		forged++
	}
	for bit := range 8 * len(good) {
		b := slices.Clone(good)
		b[bit/8] ^= 1 << (bit % 8)
		refuse(b)
	}
	for n := range len(good) {
		refuse(good[:n])
	}
	refuse(append(slices.Clone(good), 0))
	refuse(make([]byte, 2000))
	other, err := cookie.NewSigner(nil)
	require.NoError(t, err)
	refuse(other.Append(nil, &cookie.State{LocalTag: r.said.Tag, PeerTag: r.offer.Tag, Peer: r.from}))
	r.gone()
	// An empty chunk is not even looked at.
	assert.Equal(t, forged, r.Stats().ForgedCookies)
}

// Section 5.1.5, step 3: a cookie is good for the tag, ports and addresses that it was
// made for.
func TestCookieOfAnotherPeerIsDropped(t *testing.T) {
	r := newRig(t, socket.Config{})
	echo := wire.AppendCookieEcho(nil, r.cookie())
	assert.Empty(t, r.give(r.from, r.pack(r.said.Tag+1, echo)), "another tag")
	assert.Empty(t, r.give(stranger, r.pack(r.said.Tag, echo)), "another address")
	r.port++
	assert.Empty(t, r.say(echo), "another SCTP port")
	r.gone()
}

// A peer whose cookies are always stale is given up.
func TestStaleCookiesWithoutEnd(t *testing.T) {
	r := newRig(t, socket.Config{InitRetransmissions: 3})
	r.dial()
	stale := wire.AppendError(nil, wire.Causes(nil).AppendStaleCookie(time.Second))
	for n := 0; len(r.events) == 0; n++ {
		require.Less(t, n, 10)
		r.initAck()
		r.say(stale)
	}
	assert.Equal(t, []socket.Kind{socket.Lost}, r.happened())
	r.gone()
}

// Section 3.3.2.1.3: the peer may ask for a longer life, and gets at most twice what
// it would have had.
func TestCookieLifeThatThePeerAsksFor(t *testing.T) {
	for _, c := range []struct{ ask, gets time.Duration }{
		{0, 10 * time.Second}, {5 * time.Second, 15 * time.Second}, {time.Hour, 20 * time.Second},
	} {
		r := newRig(t, socket.Config{CookieLife: 10 * time.Second})
		r.offer.Params = r.offer.Params.AppendCookiePreservative(c.ask)
		echo := wire.AppendCookieEcho(nil, r.cookie())
		r.now += c.gets + time.Millisecond
		r.chunk(r.say(echo), wire.TypeError)
		r.now -= time.Millisecond
		r.chunk(r.say(echo), wire.TypeCookieAck)
	}
}

// The secret changes every hour; cookies signed with the last one are still good.
func TestCookiesOutliveAChangeOfTheSecret(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.now = rotation
	echo := wire.AppendCookieEcho(nil, r.cookie())
	said := r.said
	r.now += time.Second
	r.cookie() // draws a new one
	r.said = said
	r.chunk(r.say(echo), wire.TypeCookieAck)
}
