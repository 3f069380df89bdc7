package socket

import (
	"net/netip"
	"time"
)

// Guard protects the datagrams that carry a socket's packets (RFC 6951). The socket passes it all that it sends and all
// that arrives: what the guard does not open has no effect. The socket's packets then need no checksum of their own. Times
// are those of the socket's protocol, which begin at about 0. Any goroutine may call.
type Guard interface {
	// Overhead is how many bytes a datagram has before its packet, and behind it.
	Overhead() (before, behind int)
	// Seal protects a packet for the peer at an address. b has the bytes before the packet, whatever is in them, and the
	// packet; it has capacity for those behind. The datagram begins where b does. ok is false if the packet must not
	// be sent.
	Seal(now time.Duration, b []byte, to netip.AddrPort) (datagram []byte, ok bool)
	// Open returns the packet in a datagram, which it may change, and who has sealed it. ok is false if there is none for the
	// socket: the datagram is not genuine, has come before, or was for the guard itself. What Open returns counts wherever it
	// has come from: who sends copies from elsewhere, which arrive first, has done no more than the network does. Where answers go is for the
	// socket to find out.
	Open(now time.Duration, datagram []byte, from netip.AddrPort) (packet []byte, sender Sender, ok bool)
	// Owner returns the ID of the peer that has published an address, 0 if none has.
	Owner(at netip.AddrPort) (id uint64)
	// Next returns a datagram that the guard itself has to send. It is asked after calls of Seal.
	Next() (datagram []byte, to netip.AddrPort, ok bool)
	// Quotes reports whether a datagram to an address has been sent that begins with quoted, as an ICMP message says.
	Quotes(quoted []byte, to netip.AddrPort) bool
}

// Sender is the peer that has sealed a datagram. The zero Sender is not known: there is no guard.
type Sender struct {
	// ID is the peer's alone, and not 0.
	ID uint64
	// At is where to answer what belongs to no path of an association yet: where the datagram has come from, unless the peer
	// is known to be elsewhere.
	At netip.AddrPort
}
