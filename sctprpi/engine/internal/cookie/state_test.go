package cookie

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// Whatever a State says comes back, also into one that was used before.
func TestStatesSurviveARoundTrip(t *testing.T) {
	s := newSigner(t, 1)
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	var got State
	for range 5000 {
		want := random(r)
		b = s.Append(b[:0], &want)
		require.LessOrEqual(t, len(b), MaxSize)
		require.NoError(t, s.Open(b, want.Created, &got))
		require.True(t, slices.Equal(want.PeerAddrs, got.PeerAddrs))
		want.PeerAddrs = got.PeerAddrs // nil or empty
		require.Equal(t, want, got)
	}
}

func TestCookiesAreSmall(t *testing.T) {
	s := newSigner(t, 1)
	st := typical()
	st.PeerAddrs = nil
	assert.Len(t, s.Append(nil, &st), 105)

	zoned := netip.MustParseAddr("fe80::1%" + strings.Repeat("z", zoneSize))
	st.Local, st.Peer = zoned, netip.AddrPortFrom(zoned, 9899)
	for range MaxAddrs {
		st.PeerAddrs = append(st.PeerAddrs, zoned)
	}
	assert.Len(t, s.Append(nil, &st), MaxSize)
	assert.LessOrEqual(t, MaxSize, 414)
}

// An INIT can list as many addresses as it has room for, and the system can name an
// interface as it likes: the cookie is bounded all the same.
func TestWhatWouldMakeACookieLongIsLeftOut(t *testing.T) {
	s := newSigner(t, 1)
	st := typical()
	addr := netip.MustParseAddr("fe80::1")
	st.Local = addr.WithZone(strings.Repeat("z", 300))
	st.Peer = netip.AddrPortFrom(addr.WithZone(strings.Repeat("z", zoneSize+1)), 9899)
	st.PeerAddrs = nil
	for i := range 1000 {
		st.PeerAddrs = append(st.PeerAddrs, netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}))
	}
	st.PeerAddrs[0] = addr.WithZone("eth0")

	var got State
	require.NoError(t, s.Open(s.Append(nil, &st), st.Created, &got))
	assert.Equal(t, addr, got.Local)
	assert.Equal(t, addr, got.Peer.Addr())
	assert.Equal(t, addr, got.PeerAddrs[0])
	assert.Equal(t, st.PeerAddrs[1:MaxAddrs], got.PeerAddrs[1:])
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	s := newSigner(t, 1)
	st := typical()
	b := s.Append([]byte("INIT ACK"), &st)
	assert.Equal(t, "INIT ACK", string(b[:8]))
	assert.NoError(t, s.Open(b[8:], st.Created, &State{}))
}

// What only this package's own mistakes could sign is not taken for a State.
func TestDecodingIsStrict(t *testing.T) {
	s := newSigner(t, 1)
	st := typical()
	good := appendState([]byte{version, s.generation}, &st)
	const local = headerSize + fixedSize // where the first address is
	for name, spoil := range map[string]func(b []byte) []byte{
		"another version":           func(b []byte) []byte { b[0]++; return b },
		"no room for the fields":    func(b []byte) []byte { return b[:local-1] },
		"no addresses":              func(b []byte) []byte { return b[:local] },
		"no port":                   func(b []byte) []byte { return b[:local+10] },
		"more addresses than there": func(b []byte) []byte { b[local-1]++; return b },
		"fewer":                     func(b []byte) []byte { b[local-1]--; return b },
		"too many":                  func(b []byte) []byte { b[local-1] = MaxAddrs + 1; return b },
		"unknown features":          func(b []byte) []byte { b[local-6] = 0x80; return b },
		"an impossible limit":       func(b []byte) []byte { b[local-5] = 0x7f; return b },
		"an address of 5 bytes":     func(b []byte) []byte { b[local]++; return b },
		"a zone in the list": func(b []byte) []byte {
			b = b[:len(b)-addrSize]
			return appendAddr(b, st.PeerAddrs[0].WithZone("eth0"))
		},
	} {
		b := spoil(slices.Clone(good))
		b = append(b, s.mac(s.generation, b)...)
		assert.Equal(t, ErrForged, s.Open(b, st.Created, &State{}), name)
	}
}

func TestFeaturesHaveNames(t *testing.T) {
	assert.Equal(t, "none", Features(0).String())
	assert.Equal(t, "interleaving, zero checksum", (Interleaving | ZeroChecksum).String())
	assert.Equal(t, len(featureNames), strings.Count(allFeatures.String(), ",")+1)
	assert.True(t, allFeatures.Has(Interleaving|ZeroChecksum))
	assert.False(t, Interleaving.Has(Interleaving|ZeroChecksum))
}

func TestACookieWithAPoolIsNoLonger(t *testing.T) {
	s := newSigner(t, 1)
	st := typical()
	st.StreamLimit = wire.StreamLimit{Base: 256, Pool: 1 << 20}
	zoned := netip.MustParseAddr("fe80::1%" + strings.Repeat("z", zoneSize))
	st.Local, st.Peer, st.PeerAddrs = zoned, netip.AddrPortFrom(zoned, 9899), nil
	for range MaxAddrs {
		st.PeerAddrs = append(st.PeerAddrs, zoned)
	}
	assert.LessOrEqual(t, len(s.Append(nil, &st)), MaxSize)
}
