// Package kernel is the SCTP of the Linux kernel behind the contract of package
// socket: one descriptor of SOCK_SEQPACKET, which the kernel calls one-to-many.
// It is for programs that use SCTP, with MPI or without.
//
// # What the kernel must be like
//
// Listen needs a kernel with the module sctp, and these settings of the network
// namespace, made before the socket is:
//
//	net.sctp.sndbuf_policy=1   a send buffer for each association
//	net.sctp.rcvbuf_policy=1   a receive buffer for each association
//
// Without them all associations of a socket share one buffer, and one peer that does
// not read stops the traffic with all others. Probe tells what is missing. These are
// needed for what they do:
//
//	net.sctp.udp_port=9899     packets in UDP (RFC 6951)
//	net.sctp.intl_enable=1     interleaving (RFC 8260)
//	net.core.wmem_max, rmem_max  buffers of the size asked for, without CAP_NET_ADMIN
//
// # Where it differs
//
// The kernel copies what is sent, so messages of a zero-copy send come back Acknowledged as soon as
// the kernel has taken them. It has no lifetime as the contract defines it (PR-SCTP gives up
// messages half sent): Message.Lifetime has no effect, and a message is sent however late. Before
// Linux 6.4 it has no Weighted scheduler for streams, and RoundRobin is used instead. It does not
// tell how often T3-rtx has expired or what is in flight on a path: these fields of Status are 0.
// Status.Outstanding is an upper bound: the chunks that are not acknowledged, each counted with its
// greatest size. Status.Held counts what has been read from the kernel and not been received. If
// several peers are refused at once because of MaxAssociations, one may for a moment have had an
// association. Config.UnauthenticatedBuffer has no effect: the window that the kernel offers
// follows from SO_RCVBUF. That belongs to the socket, not to the association, and is read when an
// association is made, before its peer can be authenticated. An attacker that fills the window with
// data that cannot be delivered costs the kernel memory up to ReceiveBuffer for each of
// MaxUnauthenticated, and net.sctp.sctp_mem for all sockets together. Connect to an address that a
// peer has merely listed returns the association with that peer. For Config.PeerTimeout any packet of
// an association is a sign of life. Linux counts them before it checks their verification tags, so
// an attacker that forges a dead peer's address and port can delay its end, until Linux itself has
// counted about twice as many timeouts as there are in that time.
//
// There is no socket.StreamReceiver: Linux has nothing to build it on.
//
// # Traps of Linux
//
// Seen with Linux 6.1. Interleaving is for peers that run Linux too: it counts the
// fragments of a message from 0 after the first, where RFC 8260 has 1, so that a peer
// that keeps to the RFC ends the association at the first message longer than a packet.
// Associations that peers begin are answered from the address that the route prefers,
// not from that which was called. A GSO batch of UDP packets that was not split
// (UDP_SEGMENT, over loopback or a veth pair) makes the kernel panic when it comes to
// net.sctp.udp_port: engines send none to peers whose SCTP port is not their UDP port, so
// an encapsulated socket should not have the number of net.sctp.udp_port. An ABORT that
// names no cause looks like silence: Lost.
//
// The kernel cannot split a GSO batch of its own SCTP packets in UDP, and drops it. So
// where packets go out by a device that does not do that itself, encapsulated associations
// lose what is longer than a packet again and again, until batches are shorter than one:
// ip link set DEVICE gso_max_size 1280. And the UDP socket of a network namespace outlives
// it: set net.sctp.udp_port=0 there first.
//
// # How it is made
//
// The caller's goroutine makes the system calls, none of which blocks. A full send buffer affects
// only its own association: the message for which there was no room is kept here, and a timer tries
// again, because the kernel reports room only for the socket as a whole. Another timer looks for
// silent peers eight times in Config.PeerTimeout, with two system calls for each peer at most. After
// a call of Wait a goroutine waits for the socket. It reads what has arrived, so that the goroutine
// that is woken finds an event.
//
// What is kept for an association is bounded: messages by Config.SendBuffer, parts of messages that
// are to be delivered whole by Config.ReceiveBuffer, Released events that the program does not
// receive by 4,096. Beyond, Send returns socket.ErrWouldBlock. Only one batch of 64 pieces is read
// ahead, so that a peer is slowed down by the kernel.
package kernel
