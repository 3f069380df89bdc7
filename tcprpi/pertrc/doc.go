// Package pertrc is the TCP transport with a socket for each TRC: messages of
// one tag, rank and context travel on a connection of their own, in one
// direction, so that TCP keeps the order that MPI wants and no other, and a
// lost packet or a receiver that is not ready holds up one TRC alone. Programs
// choose it by its name, with package mpi.
//
// # No progression layer
//
// The kernel's socket buffers are the queue of unexpected messages. Of each
// connection only the envelope of the message at its head is read ahead, which
// is what matching and probes need. The body stays in the kernel until a
// receive has matched, and is then read straight into the user's buffer;
// it is written straight from the sender's. There is no protocol for long
// messages and no credit: TCP's flow control pushes back on each TRC. What is
// left in the process is in package trc.
//
// # Connections
//
// The sender makes a TRC's connection when it first needs it, through the
// receiver's port, of which a process has one for all communicators: the hello
// of the handshake names the context beside the tag, which costs eight bytes,
// where a port for each communicator would cost a descriptor, a port that
// firewalls must know, and an exchange of addresses in each Dup and Split.
//
// Between two processes that use each other there is also a control
// connection. It carries the acknowledgements of synchronous sends, what
// concerns cancelling, refusing and descriptors, and the farewell. By its end, or its
// silence, the death of a peer is noticed. The keys of the others follow from its
// handshake: they have none of their own (handshake.Session).
//
// A connection whose context has been released at both ends, and whose messages have all been received, is
// handed on to another TRC, which the first message on it names. So communicators that come and go need no new ones.
//
// Messages in a context with rpi.InOrder share collectiveSlots connections: collective
// operations that follow each other use the first of them, those under way at the same time one each.
//
// # Descriptors
//
// The transports of a process together use no more sockets than its limit of open files allows,
// less an eighth for the program. At the limit, the connection that has been idle for longest is
// closed to make room for a new one, at either end. Only its sender closes it, between two
// messages. The next message goes to a new connection, which the receiver does not read before the
// end of the old one. So no message is lost or overtakes another. If all connections hold messages
// that no receive takes, a send that needs another connection fails with rpi.ErrBuffer after the
// connect timeout.
//
// # Refusing
//
// A receiver that will take no more messages (rpi.Transport.StopReceiving) tells the sender of a
// synchronous or long one, and reads its body to nowhere when that knows it. Short ones that
// no ack is waited for are read to nowhere at once, so that none is behind them.
//
// # Properties
//
// A standard or ready send completes when the kernel has taken the message. How much the kernel
// takes before it is received depends on the buffers of the sockets (net.ipv4.tcp_rmem and
// tcp_wmem) and not on rpi.Config.EagerLimit, and rpi.Config.UnexpectedLimit does not bound it.
// That limit bounds what the process itself holds: copies of buffered sends, and messages that were
// taken out of the kernel to reach those behind them, because a matched probe has taken them and
// they have not been received yet. Beyond the limit they stay in the kernel, and block their TRC.
//
// A send can be cancelled until it has matched, or, unless it is synchronous,
// has left entirely.
//
// A goroutine that starts a send or a receive tries the socket itself first. The driver does the
// rest: it watches all sockets (epoll).
package pertrc
