// Package udp is where the engine meets the operating system: one UDP socket that
// carries every association of a process (RFC 6951).
//
// On Linux it moves as many packets per system call as the kernel lets it: GSO batches of
// packets of one size as one message (UDP_SEGMENT and UDP_GRO), several messages by
// sendmmsg and recvmmsg, gathered from and scattered to where they lie. What a kernel
// or a device lacks is noticed at run time and done without. Elsewhere it does the
// same with what the standard library has.
package udp

import (
	"fmt"
	"net/netip"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// Config is how a Conn is set up. The zero Config is good.
type Config struct {
	// ReceiveBuffer and SendBuffer are what to ask the kernel for, in bytes, for
	// what has arrived and was not yet received, and what was sent and has not
	// yet left. Zero is DefaultBuffer. What the kernel grants is told by Conn.Buffers.
	ReceiveBuffer, SendBuffer int
	// NoOffload does without UDP_SEGMENT and UDP_GRO.
	NoOffload bool
	// ECN sends packets as their ECN says, and tells that of those received, where the system can: see Conn.ECN.
	ECN bool
}

// DefaultBuffer is what a Conn asks for unless told otherwise, in bytes.
const DefaultBuffer = 8 << 20

// Conn is a UDP socket. Any number of goroutines may call its methods at the same
// time, save that one at a time calls Receive.
type Conn struct {
	socket
	*shared
}

// socket is what is different from system to system.
type socket interface {
	receive(batch []packet.Datagram) (int, error)
	send(b *packet.Batch) error
	rest() (ready bool)
	descriptor() int
	boundPort() uint16
	buffers() (receive, send int)
	offloads() (segmentation, coalescing bool)
	ecn() bool
	close() error
}

// shared is what is the same on all systems.
type shared struct {
	pool          *packet.Pool
	locals        []netip.Addr
	port          uint16
	counters      counters
	onArrival     atomic.Pointer[func()]
	onTooBig      atomic.Pointer[func(to netip.AddrPort, mtu int)]
	onUnreachable atomic.Pointer[func(to netip.AddrPort, quoted []byte)]
	onDenied      atomic.Pointer[func(to netip.AddrPort, why error)]
}

// Listen binds a UDP socket that takes its buffers from pool. Port 0 picks a free
// one. With one address the socket is bound to it; the unspecified address stands
// for all the host has, IPv6's for those of IPv4 as well. With several, of one family
// or both, the association is multihomed: what arrives for another address of the
// host is dropped.
func Listen(pool *packet.Pool, port uint16, addrs []netip.Addr, c Config) (*Conn, error) {
	return listen(open, pool, port, addrs, c)
}

type opener func(s *shared, port uint16, c Config) (socket, error)

func listen(open opener, pool *packet.Pool, port uint16, addrs []netip.Addr, c Config) (*Conn, error) {
	locals, err := localAddrs(addrs)
	if err != nil {
		return nil, err
	}
	if c.ReceiveBuffer < 0 || c.SendBuffer < 0 {
		return nil, fmt.Errorf("udp: negative size of a socket buffer: receive %d, send %d", c.ReceiveBuffer, c.SendBuffer)
	}
	if c.ReceiveBuffer == 0 {
		c.ReceiveBuffer = DefaultBuffer
	}
	if c.SendBuffer == 0 {
		c.SendBuffer = DefaultBuffer
	}
	s := &shared{pool: pool, locals: locals}
	sock, err := open(s, port, c)
	if err != nil {
		return nil, fmt.Errorf("udp: listen on port %d of %v: %w", port, locals, err)
	}
	s.port = sock.boundPort()
	return &Conn{socket: sock, shared: s}, nil
}

// Port returns the port that the socket is bound to.
func (c *Conn) Port() uint16 { return c.port }

// LocalAddrs returns the addresses given to Listen, not to be written to.
func (c *Conn) LocalAddrs() []netip.Addr { return c.locals }

// Buffers returns the sizes in bytes of the socket's buffers, as far as they are
// known, else what was asked for.
func (c *Conn) Buffers() (receive, send int) { return c.buffers() }

// ECN reports whether the bits of explicit congestion notification are sent and told as Config.ECN has it. It is so on Linux.
func (c *Conn) ECN() bool { return c.ecn() }

// Receive reads what is there without blocking, by one system call, fills in batch
// and returns how many datagrams that makes, 0 if nothing is there. Each has one
// reference of its Buffer. Datagrams for which batch has no room are kept for the
// next call. The socket holds at most half a megabyte of buffers for what is to come.
//
// It fails once the Conn is closed, with net.ErrClosed.
func (c *Conn) Receive(batch []packet.Datagram) (n int, err error) { return c.receive(batch) }

// Send sends the packets of a sealed Batch, in order; packets of several Sends at the
// same time may mix. It is done with the Batch when it returns. On Linux it copies
// only packets of more than 1,024 parts.
//
// Like the network, it may lose packets, which SCTP repairs. When the socket's buffer
// is full it waits for room, up to 100 ms, and drops the rest of the Batch if there is
// none by then. A packet that is refused does not stop the others: one too big is
// told to OnTooBig's function, and Stats counts what is lost.
//
// It fails once the Conn is closed, with net.ErrClosed.
func (c *Conn) Send(b *packet.Batch) error { return c.send(b) }

// Descriptor is readable when something has arrived. It is -1 on systems other than Linux, where
// OnArrival's function says so. On Linux, what arrives while nothing watches it wakes no thread of
// the process.
func (c *Conn) Descriptor() int { return c.descriptor() }

// Rest is called before a wait for the descriptor. It reports whether Receive has something all the
// same. The next Receive that finds nothing sees whether the network has reported undelivered
// packets, which the descriptor shows too.
func (c *Conn) Rest() (ready bool) { return c.rest() }

// OnArrival sets a function that is called when something has arrived, if there is no Descriptor.
func (c *Conn) OnArrival(f func()) { c.onArrival.Store(&f) }

// RouteMTU returns the MTU in bytes, of whole IP packets, of the route to an address as
// the system knows it now, and 1500 where it does not know.
func (c *Conn) RouteMTU(to netip.Addr) int { return routeMTU(to.Unmap()) }

// Close closes the socket. It gives the buffers back that no
// Datagram refers to. Closing again does nothing.
func (c *Conn) Close() error { return c.close() }
