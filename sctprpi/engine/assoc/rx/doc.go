// Package rx is the receiving half of an SCTP association: which chunks have
// arrived and when to acknowledge them (Tracker), and how they become messages
// again (Reassembly), after RFC 9260 with the extensions for message interleaving
// (RFC 8260), partial reliability (RFC 3758) and stream re-configuration (RFC
// 6525). It does no I/O, has no goroutine and no clock; none of its types is for
// concurrent use.
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
// After the last chunk of a packet, or of a train of packets received together,
// comes Tracker.EndPacket.
//
// # Buffers
//
// A payload is never copied. The Reassembly takes over the payload and the Buffer
// it lies in with each chunk for which it returns no error, and gives them up once:
// in a Piece, whose reader releases the Buffer, or by releasing it itself if the
// chunk's message is abandoned. With an error they stay the caller's.
package rx
