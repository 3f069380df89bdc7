package cookie

import (
	"errors"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

var errDry = errors.New("dry")

// dry is a random source that gives nothing.
type dry struct{}

func (dry) Read([]byte) (int, error) { return 0, errDry }

// newSigner returns a Signer whose secrets depend on the seed alone.
func newSigner(tb testing.TB, seed byte) *Signer {
	s, err := NewSigner(rand.NewChaCha8([32]byte{seed}))
	require.NoError(tb, err)
	return s
}

// typical is the State of a peer with two addresses.
func typical() State {
	return State{
		Created: 90 * time.Minute, Life: time.Minute,
		LocalTag: 0x01020304, PeerTag: 0x05060708, LocalTSN: 0x11121314, PeerTSN: 0x15161718,
		Outbound: 1024, Inbound: 2048, PeerWindow: 1 << 20, LocalPort: 5001, PeerPort: 5002,
		Local:       netip.MustParseAddr("192.0.2.1"),
		Peer:        netip.MustParseAddrPort("192.0.2.2:9899"),
		PeerAddrs:   []netip.Addr{netip.MustParseAddr("2001:db8::2")},
		Features:    Interleaving | PartialReliability | StreamCredit,
		StreamLimit: wire.StreamLimit{Bytes: 1 << 18, Whole: true},
	}
}

// random returns a State that Append keeps whole.
func random(r *rand.Rand) State {
	tag := func() wire.VerificationTag { return wire.VerificationTag(r.Uint32()) }
	st := State{
		Created: time.Duration(r.Int64N(1 << 60)), Life: time.Duration(r.Int64N(1 << 60)),
		LocalTag: tag(), PeerTag: tag(), TieLocal: tag(), TiePeer: tag(),
		LocalTSN: wire.TSN(r.Uint32()), PeerTSN: wire.TSN(r.Uint32()),
		Outbound: uint16(r.Uint32()), Inbound: uint16(r.Uint32()), PeerWindow: r.Uint32(),
		LocalPort: uint16(r.Uint32()), PeerPort: uint16(r.Uint32()),
		Local:       randomAddr(r),
		Peer:        netip.AddrPortFrom(randomAddr(r), uint16(r.Uint32())),
		Features:    Features(r.Uint32()) & allFeatures,
		StreamLimit: wire.ParseStreamLimit(r.Uint32()),
	}
	for range r.IntN(MaxAddrs + 1) {
		st.PeerAddrs = append(st.PeerAddrs, randomAddr(r).WithZone(""))
	}
	if r.IntN(2) == 0 && len(st.PeerAddrs) < MaxAddrs && st.StreamLimit.Bytes >= wire.MinStreamCharge {
		st.StreamLimit.Base, st.StreamLimit.Pool = wire.MinStreamCharge, wire.MinStreamPool+uint32(r.IntN(1<<20))
	}
	return st
}

func randomAddr(r *rand.Rand) netip.Addr {
	var v4 [4]byte
	var v6 [16]byte
	for i := range v6 {
		v6[i] = byte(r.Uint32())
	}
	copy(v4[:], v6[:])
	switch r.IntN(5) {
	case 0:
		return netip.Addr{}
	case 1:
		return netip.AddrFrom16(netip.AddrFrom4(v4).As16()) // IPv4-mapped
	case 2:
		return netip.AddrFrom16(v6).WithZone("enp0s31f6")
	case 3:
		return netip.AddrFrom16(v6)
	default:
		return netip.AddrFrom4(v4)
	}
}
