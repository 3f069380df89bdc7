// Package udplink is the link over bare UDP: the limit for a transport on top of it.
// It does the work that an SCTP engine cannot do without and no more. One unconnected
// socket per process sends and receives trains of packets by one system call each
// (UDP_SEGMENT, UDP_GRO). A packet has a sequence number, an acknowledgement, and
// unless told otherwise the CRC32c of all of it; messages are bundled into packets
// until these are full, and long ones fragmented, sent from where they lie and read
// where the kernel has put them. A window keeps the receive buffer from overflowing.
// Nothing is sent again: a lost packet is an error, which on the loopback interface
// does not happen.
//
// It spins on the socket, and waits in the kernel only after some 100 microseconds of
// that, since a peer which has no core to run on does not get one by spinning.
package udplink

// Transport makes links over UDP.
type Transport struct{}
