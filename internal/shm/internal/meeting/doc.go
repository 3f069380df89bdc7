// Package meeting is how two processes of a job on one host meet: they prove to each other that they know the job's
// token, learn each other's process, and hand over memory and doorbells. It knows nothing of messages.
//
// A process listens at an abstract Unix socket and publishes its [Listener.Place]. A peer of the same place dials:
//
//	dialer → acceptor   hello: magic and version, both ranks, nonce
//	acceptor → dialer   challenge: nonce, HMAC(token, "shm acceptor", name, hello, nonce)
//	dialer → acceptor   proof: HMAC(token, "shm dialer", name, hello, nonce)
//	acceptor → dialer   answer
//	both                offer: sizes of segments, data; with the descriptors
//	both                conclusion: data. Or, in place of an offer or of a conclusion, a refusal: why
//
// Each arrow is one record of a SOCK_SEQPACKET socket, so that a peer cannot send half of one. Nothing before the
// proof has an effect. A meeting is worth something only when both have concluded it: then both use what has been
// handed over. In all other cases the pair has no shared memory and uses the network.
//
// # Names
//
// The name of a socket is a hash, with the token as key, of the rank and a salt that the listener makes up. So another
// process can neither guess it nor be there first. It can see the name in /proc/net/unix, and have it when the
// listener is dead; then it fails at the challenge. Nothing has a name in a file system. Sockets, segments and
// doorbells are gone with the last process that has them, however that ends.
//
// # Who the peer is
//
// SO_PEERCRED says which user and process has made the other end, the process as it is numbered here. Another effective
// user is turned away, whether this process or that one is root's. Process numbers are used again, so the order counts:
// first the number, then pidfd_open, then a nonce that the peer must answer. The answer needs the token, and the other
// end of the socket, which no process of a job hands on: the peer has been alive after pidfd_open. So its number has been
// its own until then, and the pidfd is that of the peer. Whether it is alive the pidfd tells from then on.
//
// # What a peer can do
//
// A process without the token gets nothing but time: at most [HandshakeTime] for each of the [HalfOpen] places, and only
// if it is the same user's. A process with the token is of the same job. It still cannot make this one crash by its
// segments: they are sealed, so that they keep their size. It can make Ring block: the doorbell's O_NONBLOCK is shared, and
// the peer can clear it.
//
// Linux 5.3 is needed. Elsewhere all is ErrNotSupported.
package meeting
