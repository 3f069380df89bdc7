// Package link is what the compared transports have in common: a link that carries messages
// between two processes. It also has the two measurements that sctpbench
// makes over a link.
package link

import "io"

// Link is one end of a connection that carries messages. It is half duplex: while one end sends,
// the other receives until it has everything that was sent.
type Link interface {
	// Send sends count messages of size bytes each, in the batches that suit the transport
	// best. It may return before they have arrived.
	Send(size, count int) error

	// Receive receives count messages. A message that does not have size bytes is an error. Further ones that arrive
	// meanwhile must have as many; they are there for the next call.
	Receive(size, count int) error

	Close() error
}

// Transport makes links over the loopback interface.
type Transport interface {
	// Listen makes the end that the other end dials. It announces its address and waits for
	// the other end, which must be the first to send.
	Listen(o Options, announce func(addr string)) (Link, error)

	// Dial makes the end that connects to an announced address.
	Dial(o Options, addr string) (Link, error)
}

// Options of a link. Both ends must have the same.
type Options struct {
	// NoChecksum leaves out the CRC32c of packets. Transports without one ignore it.
	NoChecksum bool `json:"no_checksum,omitempty"`
}

// IdleDialer is a Transport that can make idle links.
type IdleDialer interface {
	// DialIdle makes count links, each from an address of its own, to the end that announced
	// addr. That end must call AcceptIdle.
	DialIdle(addr string, count int) (io.Closer, error)
}

// IdleAcceptor is a Link whose end can have idle links to further ends.
type IdleAcceptor interface {
	// AcceptIdle waits until count idle links are up. Nothing can be sent over them.
	AcceptIdle(count int) error
}
