package assoc

import (
	"math"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/assoc/rx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Association is one end of an association. Connect and Accept make one.
type Association struct {
	host  *Host
	id    socket.AssocID
	state State

	localTag, peerTag wire.VerificationTag
	// tieLocal and tiePeer stand for the tags in cookies, so that these do not
	// give them away (RFC 9260, section 5.2.2).
	tieLocal, tiePeer wire.VerificationTag
	initialTSN        wire.TSN
	peerPort          uint16

	paths   []path
	primary int
	// searching: the MTUs of the paths are being looked for, or have been.
	searching bool
	// verifyAt is when the next address that is not confirmed may be tested.
	verifyAt time.Duration
	// readdressed: see Readdressed.
	readdressed bool
	// answersProbes: the peer has answered a probe for a path's MTU.
	answersProbes bool
	life          liveness

	// out, tracker and in exist from the time that the peer's INIT or INIT
	// ACK chunk is known.
	out     *tx.Sender
	tracker *rx.Tracker
	in      *rx.Reassembly
	setup   *setup // while it goes on
	// retired have been closed by a restart, and not given back all messages.
	retired []*tx.Sender
	// held are the streams whose data Poll leaves alone.
	held []wire.StreamID
	// early are messages sent before out exists; earlyBytes what they take of
	// the send buffer.
	early      []tx.Message
	earlyBytes int

	outbound, inbound int
	features          cookie.Features
	peerLimit         wire.StreamLimit

	// ackPath is where the next SACK goes: where data last came from.
	// advertised is the window that the last one named, of at most receiveBuffer bytes.
	ackPath       int
	advertised    uint32
	receiveBuffer int

	// t1 is the set-up's timer, t2 that of SHUTDOWN and SHUTDOWN ACK chunks, t5
	// guards the shutdown as a whole (section 9.2).
	t1, t2, t5  time.Duration
	t2Timeout   time.Duration
	shutdownDue bool // a SHUTDOWN chunk is to be sent
	closing     bool // Shutdown was called before the set-up was over
	restarted   bool // the Restarted event has not been polled
	// earlyRefused: a message was refused while there was no out.
	earlyRefused bool

	// last is a packet that is sent alone and once: ABORT, SHUTDOWN COMPLETE.
	last   []byte
	lastTo int

	events  notices
	end     socket.Event // the last event, when Kind is set
	counted counters
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
		tieLocal: h.NewTag(), tiePeer: h.NewTag(),
		t1: never, t2: never, t5: never,
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
