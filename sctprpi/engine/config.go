package engine

import (
	"net/netip"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Config is how a Socket is set up. The zero Config is a socket on a free port of the
// IPv4 loopback address.
type Config struct {
	socket.Config

	// Addrs are the local IP addresses. Several make it multihomed: peers are
	// told all of them.
	Addrs []netip.Addr
	// UDPPort is the port to encapsulate in, 0 for a free one. Port is the
	// SCTP port, 0 for the same number. Peers with two different numbers may be
	// kernels, and get their packets without the kernel's segmentation of UDP.
	UDPPort, Port uint16

	// NoOffload does without the kernel's segmentation of UDP.
	NoOffload bool
	// NoChecksum sends packets without a checksum to peers that have it set
	// too. It is for measurements and for networks that check all they carry,
	// and is not standard.
	NoChecksum bool

	// Network, if set, gets the UDP socket and returns what is to be used in its
	// place: tests put a bad network there.
	Network func(Network) Network

	// Capture, if set, gets all packets. It is not closed by the Socket.
	Capture *capture.Writer
}
