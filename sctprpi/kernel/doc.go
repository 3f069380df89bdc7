// Package kernel is the SCTP of the Linux kernel behind the contract of package
// socket: one descriptor of SOCK_SEQPACKET, which the kernel calls one-to-many.
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
// The kernel copies what is sent, so lent messages come back Acknowledged as soon as
// it has taken them. It knows no lifetime as the contract has it (PR-SCTP gives up
// messages half sent): Message.Lifetime is not heeded, and a message is sent however
// late. It knows neither Weighted streams before Linux 6.4, for which RoundRobin
// stands in, nor how often T3-rtx has expired nor what is in flight on a path: these
// fields of Status are 0. Status.Outstanding is an upper bound: chunks that are not
// acknowledged, each taken for as long as one can be. Status.Held counts what has
// been read from the kernel and not been received. A peer that is turned away because
// of MaxAssociations may for a moment have had an association, if several come at once.
// Config.UnauthenticatedBuffer is not heeded: the window that the kernel offers follows from
// SO_RCVBUF, which is the socket's and not the association's, when an association is made,
// before anybody can be asked who the peer is. Who fills it with what cannot be delivered
// costs the kernel memory up to ReceiveBuffer for each of MaxUnauthenticated, and
// net.sctp.sctp_mem for all sockets together. To Connect an address that a peer has merely
// listed is that peer's.
//
// There is no socket.StreamReceiver: Linux has nothing to build it on.
//
// # Traps of Linux
//
// Seen with Linux 6.1. Interleaving is for peers that run Linux too: it counts the
// fragments of a message from 0 after the first, where RFC 8260 has 1, so that a peer
// that keeps to the RFC ends the association at the first message longer than a packet.
// Associations that peers begin are answered from the address that the route prefers,
// not from that which was called. A train of UDP packets that were not taken apart
// (UDP_SEGMENT, over loopback or a veth pair) makes the kernel panic when it comes to
// net.sctp.udp_port: engines send none to peers whose SCTP port is not their UDP port, so
// an encapsulated socket should not have the number of net.sctp.udp_port. An ABORT that
// names no cause looks like silence: Lost.
//
// A train of SCTP packets in UDP of its own the kernel cannot take apart: it drops it. So
// where packets go out by a device that does not do that itself, encapsulated associations
// lose what is longer than a packet again and again, until trains are shorter than one:
// ip link set DEVICE gso_max_size 1280. And the UDP socket of a network namespace outlives
// it: set net.sctp.udp_port=0 there first.
//
// # How it is made
//
// Who calls makes the system calls, none of which blocks. A full send buffer is the
// business of its association alone: the message for which there was no room is kept
// here, and a timer tries again, for the kernel reports room only for a socket as a
// whole. A goroutine waits for the socket when somebody has called Wait; it reads what
// there is, so that who is woken finds an event.
//
// What is kept for an association is bounded: messages by Config.SendBuffer, parts of
// messages that are to be delivered whole by Config.ReceiveBuffer, Released events
// that nobody receives by 4,096. Beyond, Send answers socket.ErrWouldBlock. Nothing is
// read ahead but one batch of 64 pieces, so that a peer is slowed down by the kernel.
package kernel
