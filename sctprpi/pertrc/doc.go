// Package pertrc is the SCTP transport with a stream for each TRC, and no message progression layer. Programs choose
// it by its name, with package mpi. Messages of one tag, rank and context have a stream of their own in the
// association with the peer. So SCTP keeps the order that MPI wants and no other, and a lost packet, or a receiver that
// is not ready, holds up one TRC alone.
//
// # No progression layer
//
// The engine's receive buffers are the queue of unexpected messages. Of each stream the envelope of the message at its
// head is read, which is what matching and probes need. If no receive has matched, the rest is put back and the stream
// is held, until one does. Then the body goes straight from the packets into the user's buffer, piece by piece. It is
// sent straight from the sender's: a message is one SCTP message of whatever length. There is no protocol for long
// messages: SCTP fragments and interleaves them (RFC 8260). There is no credit: see below. What is left in the process
// is in package trc.
//
// # Streams
//
// Stream 0 carries notes. Each other stream belongs to one TRC. The sender takes one when it first needs it, and says
// on it, by the envelope, which TRC it belongs to. If all are taken, the sender asks the receiver which of the idle
// ones are drained. The receiver says so when it has taken all their messages, and then another TRC may use them. As
// long as a receive or a probe waits there, it takes messages for this that no receive wants, and holds them in the
// process, up to half of rpi.Config.UnexpectedLimit, in bytes, and so that each counts 256.
//
// An eighth of the streams, two at least and mostReserve at most, are a reserve for messages that are waited for. The sender tells
// the receiver which TRCs wait for streams. The receiver says for which of them a receive or a probe waits. Of such a TRC one message at
// a time takes a stream of the reserve, until the receiver has taken it off. So a receive gets its message however many other TRCs
// have unread ones. A send whose TRC has no stream waits for a receive or a probe, as one does that needs more than its TRC may have
// unread. What comes for a probe, or for a receive that has been cancelled or got another source's message, stays on its stream, or is
// put aside, up to rpi.Config.UnexpectedLimit. Only a program that leaves more of these unread than that can use up the reserve.
//
// Messages of collective operations in a context share collectiveSlots streams: one is enough for those that follow each other.
//
// # What may be unread
//
// A peer may leave so much unread in a process: streamBase bytes on each stream, and besides a pool that all its
// streams share, as package engine says (sctprpi/engine, "Limits for single streams"). Together that is an equal part of
// rpi.Config.UnexpectedLimit for each peer, but leastBuffer at least and mostBuffer at most. Of that the pool is three quarters, or more if
// there are fewer streams. A TRC of which nothing has been received gets a quarter of the pool at most, the next one an
// eighth, and so on; one of which something has been received a fifth of it. Beyond that a TRC waits, and no other does.
//
// With two ranks and the default limit, 67,108,864 bytes, the pool has 50,331,904. So the first TRC may have 12,583,232
// bytes unread (12 MiB, 3/16 of the limit), and one that has been read 10,066,636. A packet's piece of a message counts
// streamBase bytes at least, and each message has an envelope of 40.
//
// A standard or ready send completes when SCTP has taken the message: one of copyLimit at most when it has been copied,
// a longer one when the peer's SCTP has all of it. A send that needs more than its TRC may have unread waits for receives.
//
// # Other stacks
//
// The transport needs what only the embedded engine has: to receive from a stream, to put back, stream credit. There is
// none over the kernel's SCTP.
package pertrc
