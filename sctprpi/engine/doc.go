// Package engine is SCTP (RFC 9260) in Go, encapsulated in UDP (RFC 6951): a
// one-to-many socket for systems whose kernel has none, one UDP socket whatever the
// number of associations. It is for programs that use SCTP, with MPI or without. It
// talks to any SCTP stack that has RFC 6951, Linux's for one.
//
// # How it is made
//
// The protocol is package endpoint, with assoc, wire and others below it: it does no
// I/O and is tested with virtual time. The system is package udp. A Core joins the
// two: one lock guards the protocol, and no system call is made and no checksum
// computed while it is held.
//
// A Core has no goroutine: the goroutines that call it move packets. Send sends what it
// may. Receive looks at the network when it has no event. If several goroutines want to
// send, one does it for all, and what the others have queued meanwhile goes out bundled.
// A driver calls the Core when packets arrive and timers run out (see socket.Core).
//
// A Socket is a Core with a driver of its own: one goroutine in a plain loop, which waits
// for packets and timers. A program to which each microsecond matters takes a Core.
//
// # Receiving from one stream
//
// A Socket implements socket.StreamReceiver. What that means for the peer depends on
// the peer, since SCTP's receive window is the association's: a standard peer cannot
// be told to send on all streams but one. What arrives for a stream that is held back
// stays in the receive buffer. Nothing is ever dropped that a peer was allowed to
// send.
//
// # Limits for single streams
//
// Between two of these sockets a stream that is not read is stopped alone. The
// receiver sets the limit (socket.Config.StreamLimit), which holds for each stream
// that it receives, on hold or not. The sender begins messages while less than that is
// on its way or unread, each chunk counted as 256 bytes at least, and finishes what it
// has begun: unread are, at most, the limit and a message, or with Interleaving the
// limit and a packet, unless WholeMessages are read. A stream that is read goes on for
// as long as it is; it carries up to a limit's worth in a round trip, so a limit
// should not be less than bandwidth times delay. Streams are not stalled by others as
// long as what those may leave unread fits the ReceiveBuffer together: so many limits,
// and a message each.
//
// At the sender, what is queued for a stream that is not read takes part of the send
// buffer: as much again as the limit, a quarter of the buffer at most, and half of it
// for all such streams. Beyond that Send returns ErrStreamFull, which is an
// ErrWouldBlock that says to go on with other streams; Writable comes when it is worth
// another try. Two things can still make others wait: a message longer than what is
// left of the send buffer, and, without Interleaving, one that is being sent. Shutdown
// waits until the peer has read enough to take all that is queued.
//
// This is an extension of the engine's own, in private parameter and chunk types of
// the ranges that a receiver which does not know them skips without a word. An INIT
// chunk offers it with this end's limit (parameter 0xB0B0); an INIT ACK chunk answers
// with the peer's if it knows it, and only then it is in use. A STREAM CREDIT chunk
// (0xB0) tells the sender of a stream how much of it has been read since the
// association began, when that has grown by half of the limit. It is sent along with
// data if there is any, and is not acknowledged: a sender that has something to send
// and has waited for a retransmission timeout asks with a STREAM BLOCKED chunk (0xB1),
// and again at intervals that double up to RTOMax, and is told if it has missed
// anything. What cannot be, such as credit for more than was sent, ends the
// association as a protocol violation. Package wire has the formats.
//
// To a standard peer, Linux's for one, all that can be said is how large the window is.
// With a StreamLimit, what a stream holds over it counts twice. So a peer that floods one
// held stream is slowed down as a whole when that stream has used up its limit, long
// before memory is, and chunks of other streams are still taken; a peer whose streams
// are balanced notices nothing. When the window has closed for a held stream, other
// streams advance by window probes alone: one chunk for each retransmission timeout. A
// program that holds a stream of such a peer back for long should have a protocol of its
// own that stops the sender, as the MPI layer has.
package engine
