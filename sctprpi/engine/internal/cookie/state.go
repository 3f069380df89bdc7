package cookie

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// MaxAddrs is how many of the addresses that an INIT lists a cookie keeps: one less if the peer has
// streams share a pool.
const MaxAddrs = 15

// State is what an INIT and the INIT ACK that answers it agree on. Local is the
// side that answers and signs.
type State struct {
	// Created is when the INIT was answered; Life is how long the cookie is
	// good from then on ("Valid.Cookie.Life", 60 s by RFC 9260, plus what the
	// peer's Cookie Preservative parameter was granted).
	Created, Life time.Duration
	// LocalTag is the initiate tag of the INIT ACK, PeerTag that of the INIT.
	LocalTag, PeerTag wire.VerificationTag
	// TieLocal and TiePeer are the tie-tags of the association that there was
	// when the INIT came, 0 if there was none (section 5.2.2).
	TieLocal, TiePeer wire.VerificationTag
	// LocalTSN and PeerTSN are the initial TSNs of both sides.
	LocalTSN, PeerTSN wire.TSN
	// Outbound and Inbound are how many streams there are after negotiation.
	Outbound, Inbound uint16
	// PeerWindow is the a_rwnd of the INIT, in bytes.
	PeerWindow uint32
	// LocalPort and PeerPort are the SCTP ports.
	LocalPort, PeerPort uint16
	// Local is the address that the INIT was sent to, the zero Addr if that is
	// not known, and Peer the UDP source of the INIT. An IPv6 zone of more
	// than 15 bytes, which no network interface of Linux has, is left out.
	Local netip.Addr
	Peer  netip.AddrPort
	// PeerAddrs are further addresses that the INIT listed, without zones. Of
	// more than MaxAddrs the first are kept.
	PeerAddrs []netip.Addr
	Features  Features
	// StreamLimit is the peer's, if StreamCredit is among the Features.
	StreamLimit wire.StreamLimit
}
