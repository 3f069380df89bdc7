package socket

import "time"

// Config holds the options of a socket, which are those of its associations. The
// zero Config is a good one: a field that is 0 has its default. In brackets are the
// options of RFC 6458 that do the same.
//
// There is no option to delay small messages (SCTP_NODELAY): none ever is.
type Config struct {
	// Streams is how many outbound streams to ask for and how many inbound
	// ones to accept, 1 to 65,535; the peer may offer fewer. The default is
	// 1024 (SCTP_INITMSG).
	Streams int
	// SendBuffer and ReceiveBuffer bound what an association queues and holds,
	// in bytes. The default is 4 MiB each (SO_SNDBUF, SO_RCVBUF). The engine
	// counts 256 bytes more for each message queued. A message longer than the
	// SendBuffer cannot be sent, but see Message.ZeroCopy.
	SendBuffer, ReceiveBuffer int
	// StreamLimit is how many bytes an inbound stream may hold that the program has not read, up to
	// 1 GiB; 0 is no limit. A peer that understands stream credit, as the embedded engine does,
	// then stops sending on that stream alone, after the message that it has begun. Each chunk
	// counts as at least 256 bytes, and a stream carries no more than this in a round trip. For any
	// other peer the association's window shrinks by what is over the limit, which in the end stops
	// all its streams.
	StreamLimit int
	// StreamPool, if it is not 0, has inbound streams share what they may hold unread, for a program
	// that leaves many of them unread for long. Each may hold StreamBase bytes, at least 256, by
	// default 1024, whatever the others hold. Beyond that streams take from the pool, of at least
	// 32 KiB: those of which nothing has been received yet half of it together at most, and each
	// no more than what they leave of that half; the others a quarter each of what is free. A
	// stream still holds StreamLimit at most, if that is set. ReceiveBuffer must be Streams *
	// StreamBase + StreamPool at least: so unread streams never close the window of the association
	// for the others, whatever is left unread. That holds for a peer that understands stream
	// credit, with Interleaving and without WholeMessages; otherwise a stream finishes the message
	// that it has begun.
	StreamPool, StreamBase int
	// WholeMessages delivers a message when all of it is there, instead of
	// piece by piece as it arrives (SCTP_PARTIAL_DELIVERY_POINT). Messages
	// must then fit the ReceiveBuffer, with Interleaving all those together
	// that are under way at a time: one that is full of messages in part, none
	// of which can be completed, ends the association.
	WholeMessages bool
	// Interleaving offers the peer to mix the messages of different streams
	// (RFC 8260; SCTP_INTERLEAVING_SUPPORTED).
	Interleaving bool
	// Scheduler says which stream sends next (SCTP_STREAM_SCHEDULER).
	Scheduler Scheduler
	// Congestion is the congestion control. Only the engine has a choice: Linux has
	// NewReno whatever it says.
	Congestion Congestion
	// Multipath sends on all paths to a peer at once, if the peer is an engine that does so too: concurrent multipath transfer. Otherwise,
	// and over Linux's SCTP, which cannot, the other paths are used when the primary path fails. Each path has a congestion control of its
	// own. Paths whose round trips show that they share a bottleneck have about the part of one flow there, with BBR of one each.
	Multipath bool
	// ECN lets routers mark packets of data instead of dropping them, if the peer understands marks too: explicit congestion notification
	// (RFC 3168; RFC 4960, appendix A). Both ends then slow down before anything is lost. Only CUBIC and NewReno do so, and only where the
	// system lets a UDP socket see the bits; a path on which markable packets vanish, or marks make no sense, goes on without. Linux's
	// SCTP does what the sysctl net.sctp.ecn_enable says.
	ECN bool
	// RTO bounds the retransmission timeout (SCTP_RTOINFO). The defaults are
	// 1 s to begin with, then 50 ms to 60 s. The floor of 1 s in RFC 9260
	// would make each lost last packet cost a second.
	RTOInitial, RTOMin, RTOMax time.Duration
	// AckDelay is how long an acknowledgement may wait, by default 20 ms, at
	// most 500 ms; AckEvery how many packets one at least is sent for, by
	// default 2 (SCTP_DELAYED_SACK).
	AckDelay time.Duration
	AckEvery int
	// SparseAcks counts four packets as one that take less than an eighth of what
	// the path allows, as bursts of short messages do. RFC 9260, section 6.2, asks
	// for an acknowledgement of every second packet of any size, as TCP's
	// receivers are asked for every second full one. Only the engine has it.
	SparseAcks bool
	// Heartbeat is how long a path may be idle before it is tested, by default
	// 30 s; negative never tests (SCTP_PEER_ADDR_PARAMS).
	Heartbeat time.Duration
	// PathRetransmissions is how many timeouts in a row take a path for down,
	// by default 5, and AssocRetransmissions an association for lost, by
	// default 10 (SCTP_ASSOCINFO). InitRetransmissions is how many times the
	// set-up is tried again, by default 8.
	PathRetransmissions, AssocRetransmissions, InitRetransmissions int
	// PeerTimeout is how long a peer may stay silent before the association counts as lost. It
	// replaces AssocRetransmissions, which then bounds only the number of attempts in a row to
	// which the peer's host answers with ICMP port unreachable. A peer that answers probes of its
	// closed window is alive, and time in which this process did not run does not count. The peer
	// is told by an ABORT. 0 counts retransmissions instead. A path has its own limit,
	// PathRetransmissions. Linux cannot count time: package kernel looks eight times in PeerTimeout
	// whether packets have come, asks for a heartbeat if not, and gives a peer up after eight looks in a
	// row in vain, up to an eighth late.
	PeerTimeout time.Duration
	// CookieLife is how long the peer may take to answer in the set-up, by
	// default 60 s, at most 30 minutes (SCTP_ASSOCINFO).
	CookieLife time.Duration
	// MaxAssociations bounds the associations of the socket, by default
	// 65,536. A peer beyond is turned away.
	MaxAssociations int
	// MaxUnauthenticated, if it is not 0, bounds the associations that peers have begun and for
	// which Authenticator has not been called. They do not count for MaxAssociations. If there is
	// one more, one of them is aborted: among those of the UDP port (or else SCTP port) or IP
	// address that has most of them, the oldest. So an attacker cannot keep out peers that the user
	// knows. An association that ends before its Up event has been received leaves no event.
	MaxUnauthenticated int
	// UnauthenticatedBuffer is what takes the place of ReceiveBuffer, which it must not
	// exceed, until Authenticator is called for an association, whichever end has begun
	// it. 0 is no difference. Linux has no such option for a single association, so the
	// kernel's sockets have none.
	UnauthenticatedBuffer int
	// RefuseIncoming refuses associations that peers begin, as listen with a backlog of 0 does.
	RefuseIncoming bool
	// Guard, if set, protects all datagrams. Only the engine has it: Linux's SCTP makes its datagrams itself.
	Guard Guard
}

// Scheduler says which stream sends next when several have something to send (RFC
// 8260, section 3).
type Scheduler uint8

const (
	// FirstCome sends messages in the order in which they were queued.
	FirstCome Scheduler = iota
	// RoundRobin gives each stream its turn.
	RoundRobin
	// Priority lets streams of a lower value go first. Those of equal value share: the
	// embedded engine by bytes, Linux by messages.
	Priority
	// Weighted shares the bandwidth in proportion to the streams' values.
	Weighted
)

// Congestion is a congestion control: it says how much may be under way on a path, and how
// that changes after a loss.
type Congestion uint8

const (
	// Cubic is CUBIC (RFC 9438). After a loss it goes on with seven tenths of the window,
	// and is soon back where it was, however long the round trip.
	Cubic Congestion = iota
	// NewReno is the one of RFC 9260, section 7.2. After a loss it goes on with half of the
	// window, which then grows by a packet in each round trip.
	NewReno
	// BBR is BBR version 3 (draft-ietf-ccwg-bbr-06). It sends at the rate at which the path has delivered, in bursts of a millisecond.
	// Losses count for congestion where round trips show a queue, as in the draft, or where there are more than a path would have that
	// loses 2 % of all packets at random.
	BBR
	// BBRDraft is BBR with the draft's judgement of losses: they count whether there is a queue or not, and a single one is too much where
	// it is 2 % of what is in flight.
	BBRDraft
)
