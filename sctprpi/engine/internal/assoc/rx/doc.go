// Package rx is the receiving half of an SCTP association: which chunks have
// arrived and when to acknowledge them (Tracker), and how they become messages
// again (Reassembly), after RFC 9260 with the extensions for message interleaving
// (RFC 8260) and partial reliability (RFC 3758). It does no I/O, has no goroutine
// and no clock; none of its types is for concurrent use.
//
// # A chunk's way
//
// The association parses a DATA or I-DATA chunk, asks the Tracker about its TSN
// with Arrive and, if it is new, offers the chunk to the Reassembly. What then
// happens depends on the error:
//
//   - nil: the chunk is taken, and Tracker.Accept makes it acknowledged.
//   - ErrNoRoom: the chunk is not taken. Tracker.Refuse has a SACK sent at once
//     that does not have it, and the peer will send it again.
//   - ErrStream: Tracker.Accept acknowledges it, an ERROR chunk reports it (RFC
//     9260, section 6.5).
//   - any other: a *wire.Error with the cause to abort the association with.
//
// After the last chunk of a packet, or of a GRO batch,
// comes Tracker.EndPacket.
//
// # Memory
//
// A payload is never copied. With each chunk for which it returns no error, the
// Reassembly takes over the payload and one reference to the memory it lies in. It
// gives the reference up once: in a Data event, which the reader releases, or by
// releasing it itself if the chunk's message is abandoned. After an error both stay the
// caller's. The memory may be nil.
//
// A payload that is a small part of its memory keeps all of it from being used
// again, and the receive window does not show that: the caller copies such a payload.
package rx
