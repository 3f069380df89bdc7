package socket

import "time"

// Status is the state of an association and what it has done (SCTP_STATUS,
// SCTP_GET_ASSOC_STATS).
type Status struct {
	// Established: Up has come, and nothing that ends the association.
	Established bool
	// Outbound and Inbound are the numbers of streams.
	Outbound, Inbound int
	// Interleaving: both ends have agreed on RFC 8260.
	Interleaving bool
	// Silence is how long the peer has given no sign of life although it was asked for one (Config.PeerTimeout), as of the last
	// time that it was; 0 if it has answered that. Package kernel counts it in eighths of PeerTimeout.
	Silence time.Duration
	// Queued bytes wait to be sent, Outstanding ones have been sent and not
	// acknowledged, Held ones have arrived and not been received.
	Queued, Outstanding, Held int
	// PeerWindow is the peer's receive window as last heard, in bytes.
	PeerWindow int
	// Paths are the peer's addresses, in the order in which they were learnt.
	Paths []PathStatus
	Counters
}

// Counters count since the association was made.
type Counters struct {
	PacketsSent, PacketsReceived uint64
	// ChunksSent and ChunksReceived count DATA and I-DATA chunks,
	// Retransmissions those that were sent again, Duplicates those that had
	// arrived before.
	ChunksSent, ChunksReceived, Retransmissions, Duplicates uint64
	// BytesSent were acknowledged, BytesReceived delivered: of user data.
	BytesSent, BytesReceived uint64
	// Timeouts count expiries of T3-rtx, Recoveries fast recoveries.
	Timeouts, Recoveries uint64
	// Marks count reductions of a congestion window because the network has marked packets (Config.ECN).
	Marks uint64
}

// PathStatus is the state of a path (SCTP_GET_PEER_ADDR_INFO).
type PathStatus struct {
	Addr Addr
	// Primary: new data goes there while it is up.
	Primary bool
	// Up: it answers. Confirmed: it has proved to be the peer's (RFC 9260,
	// section 5.4).
	Up, Confirmed bool
	// MTU is the size of the largest IP packet known to pass, in bytes.
	MTU int
	// Window and Flight are the congestion window and what is in flight, in
	// bytes.
	Window, Flight int
	// SRTT is the smoothed round trip, 0 before the first measurement; RTO the
	// retransmission timeout.
	SRTT, RTO time.Duration
	// Markable: routers may mark packets instead of dropping them (Config.ECN).
	Markable bool
}
