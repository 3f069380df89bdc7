// Package engine is SCTP (RFC 9260) in Go, encapsulated in UDP (RFC 6951): a
// one-to-many socket for systems whose kernel has none, one UDP socket whatever the
// number of associations. It talks to any SCTP stack that has RFC 6951, Linux's for
// one.
//
// # How it is made
//
// The protocol is package endpoint, with assoc, wire and others below it: it does no
// I/O and is tested with virtual time. The system is package udp. A Socket joins the
// two: one lock guards the protocol, and no system call is made and no checksum
// computed while it is held.
//
// Who calls moves packets. Send sends what it may in the caller's goroutine; Receive
// looks at the network when it has nothing. Of several who want to send one does it
// for all, and what the others have queued meanwhile goes out bundled. A goroutine
// of the Socket's own does what nobody is there to do: it waits for packets and
// timers, but keeps out of the way while somebody calls Receive again and again.
//
// # Receiving from one stream
//
// Socket implements socket.StreamReceiver. What that means for the peer depends on
// the peer: SCTP's receive window is the association's, so there is no way to tell a
// standard peer to send on all streams but one. What arrives for a stream that is
// held back stays in the receive buffer, and with socket.Config.StreamLimit bytes
// over the limit count twice. So a peer that floods one held stream is slowed down as
// a whole when that stream has used up its limit, long before memory is, and chunks
// of other streams are still taken; a peer whose streams are balanced notices
// nothing. Nothing is ever dropped that a peer was allowed to send. When the window
// has closed for a held stream, other streams advance by window probes alone: one
// chunk for each retransmission timeout. A program that holds a stream back for long
// should have a protocol of its own that stops the sender, as the MPI layer has.
package engine
