package socket

import "strconv"

// Kind says what an Event is.
type Kind uint8

const (
	// Data: a piece of a message has arrived. See Event.
	Data Kind = iota + 1
	// Up: the association can be used (SCTP_COMM_UP). Addr is the peer's
	// primary address.
	Up
	// Restarted: the peer has lost the association and made it anew (SCTP_RESTART).
	// It has the same ID. All messages that had been queued and not acknowledged
	// are lost, those lent being released, and messages that have been delivered
	// in part will not go on. Numbers of streams may have changed: see Status.
	Restarted
	// PeerShutdown: the peer will send no more, and we may not either
	// (SCTP_SHUTDOWN_EVENT). Closed follows. Where both shut down at once, Linux
	// leaves it out.
	PeerShutdown
	// Closed: the association has ended gracefully (SCTP_SHUTDOWN_COMP).
	Closed
	// Aborted: one of the two has aborted the association, Err says who and
	// why: an *AbortError.
	Aborted
	// Lost: the peer could not be reached, or not any more (SCTP_COMM_LOST,
	// SCTP_CANT_STR_ASSOC). Err says why.
	Lost
	// PathDown and PathUp: Addr of the peer does not answer, or does again
	// (SCTP_PEER_ADDR_CHANGE).
	PathDown
	PathUp
	// Writable: after ErrWouldBlock, the association takes messages again.
	Writable
	// Released: a lent message is the Owner's again.
	Released
)

var kindNames = [...]string{
	Data: "Data", Up: "Up", Restarted: "Restarted", PeerShutdown: "PeerShutdown", Closed: "Closed",
	Aborted: "Aborted", Lost: "Lost", PathDown: "PathDown", PathUp: "PathUp", Writable: "Writable",
	Released: "Released",
}

// String returns the name of the constant.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "Kind " + strconv.Itoa(int(k))
}

// Event is something that has happened.
type Event struct {
	Kind  Kind
	Assoc AssocID

	// The rest of a Data event: a piece of a message, Begin and End marking
	// its first and last. The pieces of a message come in order; those of an
	// ordered one come with no other ordered message's of the stream between,
	// those of unordered ones may mix, and MID tells the messages of a stream
	// apart that are being delivered. Broken says that the message, whose
	// Begin has been delivered, will not go on; such a piece has no Payload
	// and is the last.
	Stream     StreamID
	PPID       PPID
	MID        uint32
	Unordered  bool
	Begin, End bool
	Broken     bool
	// Payload is lent until Release, and not to be written to.
	Payload []byte
	// Memory is what Payload lies in, nil if it is nobody's.
	Memory Memory

	// Owner and Outcome belong to a Released event.
	Owner   any
	Outcome Outcome

	Addr Addr
	Err  error
}

// Memory is where a Payload lies.
type Memory interface {
	// Release gives one loan back.
	Release()
}

// Release gives the memory of a Data event back and forgets it. It does nothing
// for other events, and nothing the second time.
func (e *Event) Release() {
	if e.Memory != nil {
		e.Memory.Release()
	}
	e.Memory, e.Payload = nil, nil
}
