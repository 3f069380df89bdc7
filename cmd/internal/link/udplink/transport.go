// Package udplink is the link over bare UDP: the limit for a transport on top of UDP. It does
// only the work that an SCTP engine cannot avoid.
//
// Each process has one unconnected socket. A system call sends or receives a batch of packets
// (UDP_SEGMENT, UDP_GRO). A packet has a sequence number, an acknowledgement and, unless the
// options leave it out, a CRC32c. Short messages share packets, long messages are fragmented.
// Long messages are sent without a copy, and read where the kernel put them. A window keeps the
// receive buffer from overflowing. Nothing is retransmitted: a lost packet is an error, but the
// loopback interface loses none.
//
// A process spins on its socket for some 100 microseconds and then blocks in the kernel, so that
// its peer can have the core.
package udplink

// Transport makes links over UDP.
type Transport struct{}
