package assoc

import (
	"math/rand/v2"
	"net/netip"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Host is what the associations of an endpoint share.
type Host struct {
	// Config has no zeros any more: see its Resolve.
	Config socket.Config
	// Port is the SCTP port, Addrs the local IP addresses; with none or one
	// the system chooses what packets are sent from.
	Port  uint16
	Addrs []netip.Addr
	// Random draws tags, TSNs and nonces. Its source must not be predictable.
	Random *rand.Rand
	// Pool lends the memory for what has to be copied.
	Pool *packet.Pool
	// RouteMTU returns the largest IP packet that can be sent to an address,
	// in bytes, as far as this host knows.
	RouteMTU func(netip.Addr) int
	// Trusted lets packets go without a checksum to peers that say the same,
	// except those that the RFC wants to have one. It is for measurements, and
	// for networks that check all they carry; no standard method stands behind
	// it (RFC 9653).
	Trusted bool
	// Standard does without what is in no standard, as most peers must: limits for
	// single streams. It is for tests.
	Standard bool

	// chunks, views and offsets are for putting packets together.
	chunks  []tx.Chunk
	views   [][]byte
	offsets wire.StreamOffsets
	copies  copyPool
	notices noticePool
}

// trusted is the error detection method, of our own making, by which two hosts
// tell each other that they are Trusted.
const trusted wire.ErrorDetectionMethod = 0x7363_7470

// nonzero draws a number that is not 0, as tags must not be.
func (h *Host) nonzero() uint32 {
	for {
		if n := h.Random.Uint32(); n != 0 {
			return n
		}
	}
}

// NewTag draws a verification tag.
func (h *Host) NewTag() wire.VerificationTag { return wire.VerificationTag(h.nonzero()) }
