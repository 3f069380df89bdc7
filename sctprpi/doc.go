// Package sctprpi is the MPI transport over SCTP: one one-to-many socket for each
// process, an association for each peer, a stream for each (tag, context), and the
// message progression layer above it. A lost packet delays the messages of its own
// stream and nobody else's.
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
// socket copies it; a longer one is lent to the socket, which reads it where it lies. The
// body of a long message is cut into fragments, each a frame with an envelope of its own
// that says where it belongs. All long messages to a peer that are under way have one
// fragment each in turn, and together may take half of the send buffer: a short message
// always finds room and never waits for the end of a long one. What arrives is copied
// once, from where the socket has it to where the user wants it.
//
// # Who is there
//
// Whoever reaches the port can make an association. Both ends prove with a handshake
// that they know the job's token before either takes a frame of the other: see
// handshake.go. An association that breaks the rules, or says nothing until
// rpi.Config.ConnectTimeout, is aborted and counted; there are never more without a
// proof than one for each process of the job and strangers more, since the socket makes
// one go for the next, and each may hold strangerBuffer bytes: see socket.Authenticator.
// A process that is refused, perhaps because of such a crowd, tries again until
// ConnectTimeout.
//
// # Concurrency
//
// One lock serialises the progression layer. It is not held while the socket is
// called. One goroutine at a time, which holds the progress token, takes what the
// socket has received; peers fail only there, so that nobody takes away the memory
// that a message is being copied to.
package sctprpi
