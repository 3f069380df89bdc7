package socket

import (
	"context"
	"time"
)

// Endpoint is what a one-to-many SCTP socket does for its user, in the terms of RFC 6458. None of
// its calls waits.
type Endpoint interface {
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

// Socket is an Endpoint that runs by itself, in goroutines of its own, and that can be waited for.
type Socket interface {
	Endpoint

	// Wait waits until Receive has something to return. Its error is the
	// context's when that is done, or ErrClosed. Several may wait; all are
	// woken.
	Wait(ctx context.Context) error

	// Wake makes a Wait return early, with no error: those that are under way, or
	// else the next.
	Wake()
}

// Core is an Endpoint without a goroutine. Its driver calls it when there is something to do:
//
//	for {
//		deadline, ready := core.Rest(true)
//		if !ready {
//			// wait until the descriptor is readable, the deadline, or a wake
//		}
//		core.Resume()
//		n, err := core.Receive(events)
//		...
//	}
//
// Package looping of this project does so, for a Socket.
type Core interface {
	Endpoint

	// Poll takes in what has arrived and does what is due, as Receive does, and leaves the
	// events for Receive. It does not wait.
	Poll() error

	// Ready reports whether Receive has something to return at once.
	Ready() bool

	// Rest is called before the driver waits. ready says that it must not wait: there is something
	// to do for Poll, or if events is true, for Receive. Otherwise the driver waits until the
	// descriptor is readable, until the deadline (the zero Time is none), or until the wake function
	// is called. The core calls that, from then to Resume, when the deadline becomes an earlier one,
	// and if events is true when an event arises. One goroutine at a time rests.
	Rest(events bool) (deadline time.Time, ready bool)

	// Resume ends a rest.
	Resume()

	// Descriptor is the file descriptor that is readable when packets have arrived, -1 if there is
	// none: then the wake function is called for them too.
	Descriptor() int

	// SetWake sets the wake function, before the first Rest. It must not call the core.
	SetWake(wake func())

	// Embedded reports whether the protocol runs in this process. If so Poll must be called even
	// while the user wants no events, or the peers get no acknowledgements.
	Embedded() bool
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
