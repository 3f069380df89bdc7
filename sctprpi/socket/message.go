package socket

import (
	"strconv"
	"time"
)

// Message is a user message to be sent.
type Message struct {
	Stream StreamID
	PPID   PPID
	// Unordered lets the message overtake others of its stream.
	Unordered bool
	// Immediate asks the peer not to delay the acknowledgement of the message
	// (the I bit of RFC 9260, section 3.3.1).
	Immediate bool
	// Lifetime is how long the message may wait to be sent, 0 for ever. Once part of it has been
	// sent it will be delivered, however late.
	Lifetime time.Duration
	// Data is the message as a gather list, at least one byte in all. Send
	// copies it, unless ZeroCopy is set.
	Data [][]byte
	// ZeroCopy lets the socket read Data, list and bytes, without copying it. Data must not change
	// until the socket gives Owner back with a Released event: the message may have to be sent
	// again. Owner should be a pointer, which costs no allocation.
	//
	// If both ends have agreed on Config.Interleaving, such a message takes 256 bytes of
	// Config.SendBuffer, whatever its length, and may be of any length: many gigabytes where an
	// int has 64 bits. That holds from Up on; before, it is as long as the buffer at most. Only
	// the embedded engine has it.
	ZeroCopy bool
	Owner    any
}

// Len returns the length of the message in bytes.
func (m *Message) Len() int {
	n := 0
	for _, piece := range m.Data {
		n += len(piece)
	}
	return n
}

// Outcome is how a zero-copy send ended.
type Outcome uint8

const (
	// Acknowledged: the peer's transport has all of the message. A socket that
	// had to copy it after all reports Acknowledged at once.
	Acknowledged Outcome = iota
	// Expired: its lifetime ran out before any of it was sent.
	Expired
	// Unsent: the association ended before any of it was sent.
	Unsent
	// Unacknowledged: the association ended when some of it had been sent; the
	// peer may or may not have it.
	Unacknowledged
)

var outcomeNames = [...]string{
	Acknowledged: "Acknowledged", Expired: "Expired", Unsent: "Unsent", Unacknowledged: "Unacknowledged",
}

// String returns the name of the constant.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return "Outcome " + strconv.Itoa(int(o))
}
