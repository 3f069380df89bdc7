package socket

import "context"

// Socket is a one-to-many SCTP socket.
type Socket interface {
	// LocalAddrs returns the addresses that the socket is bound to, for peers
	// to Connect to. All have the same Port.
	LocalAddrs() []Addr

	// Connect begins an association with a peer that has those addresses, the
	// first of which is tried first and is the primary path. It does not wait:
	// Up or Lost follows. If there is an association with one of the addresses
	// already, or being set up, it is that one's ID that is returned. The engine
	// does not count an address that a peer has merely listed, without having
	// answered from there (RFC 9260, section 5.4); Linux does.
	//
	// Errors: ErrClosed, ErrAddr, ErrTooMany.
	Connect(peer ...Addr) (AssocID, error)

	// Send queues messages to an association, in order, and returns how many
	// it has taken; those that follow in n are the caller's as before. It
	// sends at once what can be sent, and bundles what is queued by one call.
	//
	// Before Up the number of streams is not known. If a message has been taken
	// for a stream that the peer then does not offer, the association is
	// aborted.
	//
	// When fewer were taken the error says why: ErrWouldBlock, after which a
	// Writable event tells when to try again, and which may be ErrStreamFull,
	// ErrTooLong, ErrEmpty, ErrStream, ErrAssoc, ErrShutdown or ErrClosed.
	Send(id AssocID, messages []Message) (n int, err error)

	// Receive fills in events that have happened and returns how many. It does
	// not wait: 0 says that there is nothing. When nothing was ready it has
	// looked at the network itself, so a caller that cannot afford to be woken
	// may call it in a loop.
	//
	// Each event of kind Data lends memory: call its Release.
	//
	// The error, with 0 events, is ErrClosed or what made the socket unusable.
	Receive(events []Event) (n int, err error)

	// Wait waits until Receive has something to return. Its error is the
	// context's when that is done, or ErrClosed. Several may wait; all are
	// woken.
	Wait(ctx context.Context) error

	// Wake makes a Wait return early, with no error: those that are under way, or
	// else the next.
	Wake()

	// Shutdown ends an association gracefully (RFC 9260, section 9.2): what
	// has been queued is delivered first. Closed follows, or Lost. No message
	// may be sent any more; those of the peer still arrive.
	Shutdown(id AssocID) error

	// Abort ends an association at once (section 9.1) and gives the peer the
	// reason, of which the first 1,000 bytes are sent. Aborted follows.
	Abort(id AssocID, reason string) error

	// Status returns the state of an association and what it has done so far.
	Status(id AssocID) (Status, error)

	// Close aborts all associations and closes the socket. Events that have
	// not been received are lost; lent memory that has been received stays
	// valid. Closing again does nothing.
	Close() error
}

// AssocID names an association of a socket, as sctp_assoc_t does in RFC 6458. 0
// names none.
type AssocID uint32

// StreamID names a stream of one direction of an association.
type StreamID uint16

// PPID is the payload protocol identifier: the users' business, carried as it is.
type PPID uint32

// Meter is implemented by a Socket that counts its system calls: those that move messages
// and those that wait.
type Meter interface{ SystemCalls() uint64 }
