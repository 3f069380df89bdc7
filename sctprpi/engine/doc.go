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
// send. A program that has received what it cannot use yet puts it back, whole or in part.
//
// # Several paths at once
//
// With Config.Multipath at both ends data goes over all paths to the peer that have answered. This too is an extension of the engine's own:
//
//	0xB0B1  Multipath  parameter of INIT and INIT ACK, without a value
//
// It is in an INIT chunk if the user wants it, and in an INIT ACK chunk if it was in the INIT chunk and the user wants it. Then both ends send
// data on any path. An end MUST NOT take back what it has acknowledged by a gap ack block, so that a SACK chunk which another has overtaken, on a
// path that takes less time, is no reneging; one that does is answered with ABORT. A SACK chunk without room for all gap ack blocks MAY leave
// out any of them. An end on which it is not agreed sends as RFC 9260, section 6.4, has it.
//
// # Explicit congestion notification
//
// With Config.ECN at both ends routers may mark packets of data instead of dropping them, as RFC 4960, appendix A, has it, of which RFC 9260
// keeps the numbers: the ECN Capable parameter (0x8000), ECNE (12) and CWR (13). Marks are echoed with each SACK chunk until the sender says
// that it has slowed down. Linux's SCTP does the same; it makes all its packets markable, and echoes with each packet.
//
// # Stream credit
//
// Between two of these sockets a stream that is not read is stopped alone. This is an extension of
// the engine's own. The words MUST, MAY and so on are those of RFC 2119.
//
// Scope. SCTP's receive window is the association's: a stream that is not read closes it for all.
// Here the receiver of data grants credit to each stream. The sender knows what it has sent and what
// has been read, and works out by a common rule what it may send.
//
// Chunks and parameters. They have types of the ranges that a receiver which does not know them skips
// without a report (RFC 9260, sections 3.2 and 3.2.1). Package wire has the formats.
//
//	0xB0B0  Stream Limit    parameter of INIT and INIT ACK: W, Limit and, if Pool is not 0, Base, Pool
//	0xB0    STREAM CREDIT   chunk of the receiver of data: how much of streams has been read
//	0xB1    STREAM BLOCKED  chunk of the sender of data: what it knows to have been read, and waits
//
// Negotiation. An INIT offers the extension with the Stream Limit parameter. Its receiver answers with
// its own parameter in the INIT ACK if it knows it. Then both MUST keep to what the other has said. A
// parameter of another length, or whose numbers cannot be, is no offer (wire.StreamLimit.ValidPool).
//
// Charges. A chunk with n bytes of user data is charged with max(n, 256). unread(s) is the charge of
// what has been sent of stream s, less the offset of the last credit for it. Offsets are sums of
// charges since the association began, modulo 2^32. What is given up or comes too late counts as read.
//
// Limit (socket.Config.StreamLimit). Without a pool, a chunk of s MAY be sent while unread(s) < Limit.
// Limit 0 is none.
//
// Pool (socket.Config.StreamPool, StreamBase). Let over(s) = max(0, unread(s) - Base), T the sum of
// over(s), and N that of the streams of which nothing has ever been read. A chunk MAY be sent if
// with its charge unread(s) is no more than Limit, if that is not 0, and no more than Base + free:
//
//	free = (Pool - T) / 4                if something of s has been read
//	free = min(Pool/2 - N, Pool - T)     if nothing has
//
// So each stream always has its Base. A stream that goes on and is not read stops after about a
// quarter of the Pool, the next after an eighth, and so on: each leaves something for those that come
// later. These take half of the Pool together, whatever their number. The idea is that of dynamic
// thresholds in switches with a shared memory (Choudhury and Hahne, "Dynamic queue length thresholds
// for shared-memory packet switches", IEEE/ACM Transactions on Networking, 1998). To send no tiny
// chunks, a stream beyond its Base goes on when it may send the rest of its message, or as much as
// fits a packet, or 1,200 bytes.
//
// Begun messages. Chunks can be cut to what is free only if messages interleave (RFC 8260) and W is
// not set. If W is set, the program reads whole messages. In either case the sender asks the rule
// when a message begins, and MUST finish it.
//
// Credit. The receiver sends STREAM CREDIT for a stream when what has been read and not told is half
// of what the stream may have unread: Limit, or by its own estimate of T the Base and what is free.
// When T is more than 5/16 of the Pool, it is due for all streams of which something has been
// read and not told. Ping-pong costs no packets by this while the Pool is ample. A stream that is
// read goes on for as long as it is. It carries between half and all of what it may have unread in a
// round trip: Limit or Pool/5 should not be less than bandwidth times delay.
//
// Loss. STREAM CREDIT goes with data if there is any, and is not acknowledged. A sender that has
// something to send and has waited for a retransmission timeout sends STREAM BLOCKED, and again at
// intervals that double up to RTO.Max. If it waits for the Pool, it asks about streams that hold a
// part of it too, about 128 at a time, each in turn. The receiver answers if there is news. Credit for
// more than was sent, and questions that claim more than was told, are protocol violations and end
// the association.
//
// Bounds. What is granted together is never more than Streams * Base + Pool, if messages interleave
// and are read piece by piece. ReceiveBuffer must be as large, so that unread streams alone never
// close the window. With 65,535 streams, Base 256 and Pool 4 MiB that is 20.0 MiB. Half of the Pool is
// then for streams that nothing has been read of, and a stream that is read has at least 0.4 MiB on
// its way beside them. Without a pool the bound is Limit and a message for each stream that is not
// read, or Limit and a chunk with interleaving. What a program puts back (socket.StreamReceiver) after
// the peer has been told that it was read comes on top. Whatever a peer sends, ReceiveBuffer bounds
// memory.
//
// Send buffer. What is queued for streams that wait takes half of it at most, and one stream's part is
// at most a quarter. Beyond that Send returns ErrStreamFull, which is an ErrWouldBlock that says to go
// on with other streams; Writable comes when it is worth another try. With a pool half of that half
// is for the first message of each stream. Two things can still make other streams wait: a copied
// message longer than what is left of the send buffer, and, without Interleaving, one that is being
// sent. Shutdown waits until the peer has read enough to take all that is queued.
//
// Standard peers, Linux's for one, see an unknown parameter in INIT, and skip it. They can only be
// told how large the window is. With a StreamLimit, what a stream holds over it counts twice. So a
// peer that floods one held stream is slowed down as a whole when that stream has used up its limit,
// long before memory is, and chunks of other streams are still taken; a peer whose streams are
// balanced notices nothing. When the window has closed for a held stream, other streams advance by
// window probes alone: one chunk for each retransmission timeout. A StreamPool changes nothing for
// such a peer. A program that holds a stream of one back for long should have a protocol of its own
// that stops the sender, as the MPI layer has.
package engine
