package socket

import "strconv"

// Kind is the kind of an Event.
type Kind uint8

const (
	// Data: a piece of a message has arrived. See Event.
	Data Kind = iota + 1
	// Up: the association can be used (SCTP_COMM_UP). Addr is the peer's
	// primary address.
	Up
	// Restarted: the peer has lost the association and made it anew (SCTP_RESTART). It has the same
	// ID. All messages that were queued and not acknowledged are lost; those of zero-copy sends are
	// released. Messages that have been delivered in part will not go on. The numbers of streams
	// may have changed: see Status.
	Restarted
	// PeerShutdown: the peer will send no more, and this end may not either (SCTP_SHUTDOWN_EVENT).
	// Closed follows. If both ends shut down at once, Linux does not report it.
	PeerShutdown
	// Closed: the association has ended gracefully (SCTP_SHUTDOWN_COMP).
	Closed
	// Aborted: one end has aborted the association. Err is an *AbortError and says which end, and
	// why.
	Aborted
	// Lost: the peer cannot be reached, or no longer (SCTP_COMM_LOST, SCTP_CANT_STR_ASSOC). Err
	// says why.
	Lost
	// PathDown and PathUp: Addr of the peer does not answer, or does again
	// (SCTP_PEER_ADDR_CHANGE).
	PathDown
	PathUp
	// Writable: after ErrWouldBlock, the association takes messages again.
	Writable
	// Released: a zero-copy send has completed. Its memory is the Owner's again.
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

	// The rest of a Data event: a piece of a message. Begin and End mark its first and last piece.
	// The pieces of a message come in order. Between those of an ordered message there is no other
	// ordered message of the stream. Those of unordered messages may mix. MID distinguishes the
	// messages of a stream that are being delivered. Broken: the message, of which a part has been
	// delivered, will not go on; this piece has no Payload and is the last.
	Stream     StreamID
	PPID       PPID
	MID        uint32
	Unordered  bool
	Begin, End bool
	Broken     bool
	// Payload is valid until Release, and must not be written to.
	Payload []byte
	// Memory is the memory of Payload, nil if it need not be released.
	Memory Memory

	// Owner and Outcome belong to a Released event.
	Owner   any
	Outcome Outcome

	Addr Addr
	Err  error
}

// Memory is the memory of a Payload.
type Memory interface {
	// Release gives up one reference to the memory.
	Release()
}

// Release releases the memory of a Data event. It does nothing for other events, and nothing the
// second time.
func (e *Event) Release() {
	if e.Memory != nil {
		e.Memory.Release()
	}
	e.Memory, e.Payload = nil, nil
}
