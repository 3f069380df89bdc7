package assoc

import (
	"math"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/rx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Association is one end of an association. Connect and Accept make one.
type Association struct {
	host  *Host
	id    socket.AssocID
	state State

	peerPort          uint16
	localTag, peerTag wire.VerificationTag
	// tieTags stand for the tags in cookies, so that these do not give them away (RFC
	// 9260, section 5.2.2).
	tieTags    TieTags
	initialTSN wire.TSN

	setup    *setup // while it goes on
	terms    terms
	shutdown shutdown
	farewell farewell

	paths        []path
	primary      int
	verification verification
	discovery    discovery
	life         liveness

	// out, tracker and in exist from the time that the peer's INIT or INIT
	// ACK chunk is known.
	out     *tx.Sender
	tracker *rx.Tracker
	in      *rx.Reassembly
	early   early
	// retired have been closed by a restart, and not given back all messages.
	retired []*tx.Sender
	// ackPath is where the next SACK goes: where data last came from.
	ackPath int
	rwnd    receiveWindow
	ecn     notification

	events    notices
	restarted bool         // the Restarted event has not been polled
	end       socket.Event // the last event, when Kind is set
	counted   counters
}

// counters count what tx does not.
type counters struct {
	packetsSent, packetsReceived uint64
	chunks, bytes, duplicates    uint64
}

// never is the deadline of a timer that does not run.
const never time.Duration = math.MaxInt64

// newAssociation returns an association to a peer without paths.
func newAssociation(h *Host, id socket.AssocID, peerPort uint16) *Association {
	return &Association{
		host: h, id: id, peerPort: peerPort,
		tieTags: h.newTieTags(), shutdown: noShutdown,
	}
}

// ID returns the ID that the association was made with.
func (a *Association) ID() socket.AssocID { return a.id }

// State returns the state.
func (a *Association) State() State { return a.state }

// LocalTag returns the tag that packets to this end carry, PeerTag that of packets
// to the peer, 0 while it is not known. Either changes when the peer restarts.
func (a *Association) LocalTag() wire.VerificationTag { return a.localTag }

// PeerTag: see LocalTag.
func (a *Association) PeerTag() wire.VerificationTag { return a.peerTag }

// PeerPort returns the peer's SCTP port.
func (a *Association) PeerPort() uint16 { return a.peerPort }

// Remote walks the peer's transport addresses: IP addresses and UDP ports.
func (a *Association) Remote(yield func(netip.AddrPort) bool) {
	for i := range a.paths {
		if !yield(a.paths[i].remote) {
			return
		}
	}
}

// Confirmed reports whether an address has proved to be the peer's. Others it may have
// listed without having them.
func (a *Association) Confirmed(remote netip.AddrPort) bool {
	i := a.PathOf(remote)
	return i >= 0 && a.paths[i].confirmed
}
