// Package tx is the sending half of an SCTP association (RFC 9260): what happens
// to user messages between the call that sends them and the SACK that has them
// released. It knows no socket, starts no goroutine and reads no clock: time comes
// in as the time since an epoch of the caller's, which must not go backwards. A
// Sender is not safe for concurrent use.
//
// A message waits in the send queue until a stream scheduler (RFC 8260) chooses
// it; Next cuts DATA or I-DATA chunks off it, which are outstanding until SACKs
// acknowledge them cumulatively. Payload is never copied: chunks refer to the
// message's gather list, and NextRelease gives that back.
//
// What a path may carry is up to its congestion control, NewReno, CUBIC (RFC
// 9438) or BBR, counted in bytes of whole chunks, and to the peer's receive window,
// counted in bytes of user data. Loss is found by time, as in RACK (RFC 8985),
// with a tail-loss probe before the retransmission timer T3-rtx runs out. When what was
// taken for loss turns out to have been reordering or delay, the window is restored.
//
// Each chunk remembers the path that it was last sent on, whose window, timer and
// round trip it belongs to. Which path to ask for packets is the association's
// decision, for new data as for retransmissions, and so are the error counters
// that Expire and Sack report to.
//
// # Several paths at once
//
// With Config.Multipath the association asks Choose for the path of each packet. A path's window, round trip, RACK, recovery, tail-loss probe and
// T3-rtx are its own: TSNs that other paths miss are no gaps of it (split fast retransmit, and a cumulative point for each path: [Iyengar et
// al., 2006]). SACKs may overtake each other, as they come by several paths, so the peer has agreed to take nothing back. A lost
// chunk goes again by the path that is best then. When chunks on a slow path keep the peer's window shut, a faster one sends them again.
// Paths have windows of their own. Those whose round trips show the same queue are taken to go through one bottleneck, and grow more slowly
// there, so that together they take about what one flow does: see coupling. That holds for NewReno and CUBIC; paths with BBR count as several flows.
//
// # Delivery rates and pacing
//
// A congestion control that is a RateController, as BBR is, gets a sample of the path's delivery rate with each SACK, and says how fast
// packets may leave. For that the path keeps 48 bytes more for each chunk. Packets leave in bursts of about a millisecond; until the next
// may leave Next has none, and Deadline says when to ask again. With the others nothing is paced: SACKs let packets out.
//
// # Streams that the peer does not read
//
// A peer that is an engine like this one may limit how much of a stream it holds
// unread (Config.StreamLimit). A stream then sends while less than the limit is on its
// way or unread. With DATA chunks, and for a peer that reads whole messages, that is
// asked when a message begins, since it must be finished: the peer has up to the limit
// and a message. With I-DATA chunks it is asked for each: the limit and a chunk. A
// stream that waits is out of the schedule and costs nothing; when it has waited for a
// timeout the peer is asked, since what it has said may have been lost, and again at
// intervals that double up to RTO.Max.
//
// If the peer has streams share a pool, what a stream may have unread depends on what the
// others have (streams.Pool). Chunks are cut to what is left of it, but not to slivers. Each
// stream that must wait for others is in one of two lines, for streams of which something
// has been read and for the others, in the order of what they need of the pool; when there
// is as much the first is called, and the next when it has sent a chunk. So what the peer
// reads costs time for the streams that go on by it, not for all that wait.
//
// Queue keeps the send buffer from being filled with what is never read: beyond what it
// may send now, a stream can queue as much as the limit again, at most a quarter of
// the send buffer, and all streams together half of it. So there is room for others,
// but for a message that is longer than what is left. With a pool there may be very many
// streams: half of that half is for the first message of each.
//
// # Long messages
//
// With DATA chunks a message that has been begun keeps all streams waiting, so the bytes of
// all messages count towards Config.SendBuffer, and none can be longer. With I-DATA chunks
// other streams pass a long message, if the scheduler gives them their turn. Then one that
// is sent without a copy is charged for being kept and for nothing more: its bytes are in
// the user's memory. So it may have any length, and Queue refuses it only when the send
// buffer has no room for the charge, or the stream has as many waiting as its share allows.
//
// # Bounds
//
// Memory is bounded by Config.SendBuffer for messages, by 65,535 outstanding
// chunks (4.5 MiB at worst, 7.5 with a RateController) and by the number of streams and paths. A
// Sender that has nothing to do gives up what a burst made it take: it keeps 1.5 KiB,
// about 140 bytes for each stream that has been used, as much again with a StreamLimit, and at most 30 KiB for reuse.
// A SACK takes time for its gap ack blocks and for what it newly acknowledges, with Config.Multipath also for what lies between that of
// other paths. In the steady state nothing is allocated.
//
// Of RFC 3758 there is only the lifetime of messages that are not yet sent; no
// FORWARD-TSN is produced.
//
// [Iyengar et al., 2006]: https://doi.org/10.1109/TNET.2006.882843
package tx
