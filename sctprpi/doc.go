// Package sctprpi is the MPI transport over SCTP. Programs choose it by its name, with package mpi,
// and do not import it. It has one one-to-many socket for each process, an association for each
// peer, a stream for each (tag, context), and the message progression layer above it. A lost packet
// delays the messages of its own stream and no others.
//
// # Streams
//
// Stream 0 carries the handshake and control frames. Frames that take part in
// matching go by a stream that their tag and context choose, so that those of one
// (peer, tag, context) stay in order. The bodies of long messages have a few streams
// of their own: see layout.
//
// # Short and long messages
//
// A frame goes as one SCTP message; those of a burst of short messages with the same tag
// and context may share one, of 8 KiB at most (see progression.Frame). Up to copyLimit the
// socket copies it. A longer one is a zero-copy send: the socket reads the user's memory. The
// body of a long message is cut into fragments, each a frame with a header of its own
// that says where it belongs. All long messages to a peer that are under way have one
// fragment each in turn, and together may take half of the send buffer: a short message
// always finds room and never waits for the end of a long one. What arrives is copied
// once, from where the socket has it to where the user wants it.
//
// # Associations
//
// Package associations makes them, authenticates the peers, and ends them. See there for what a
// process that is not of the job can do, and for the locks: one serialises the progression layer, and
// is not held while the socket is called. One goroutine at a time, which holds the progress token,
// takes what the socket has received. Peers fail only there, so that the memory to which a message
// is being copied stays valid.
package sctprpi
