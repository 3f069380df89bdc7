// Package link is what the transports that are compared have in common: a link
// between two processes that carries messages, and what is measured over one.
package link

import "io"

// Link is one end of a connection with messages. It is half duplex: while one end
// sends the other receives, until it has all that was sent.
type Link interface {
	// Send sends count messages of size bytes each, in whatever batches the
	// transport is best at. It may return before they have arrived.
	Send(size, count int) error

	// Receive receives count messages. One that has not size bytes is an error.
	Receive(size, count int) error

	Close() error
}

// Transport makes links over the loopback interface.
type Transport interface {
	// Listen makes the link that a peer dials. It announces its address and
	// waits for the peer. Only the peer may be the first to send.
	Listen(o Options, announce func(addr string)) (Link, error)

	// Dial makes the link to a peer that has announced its address.
	Dial(o Options, addr string) (Link, error)
}

// Options of a link. Both ends must have the same.
type Options struct {
	// NoChecksum leaves out the CRC32c of packets, for transports of which the
	// checksum is part.
	NoChecksum bool `json:"no_checksum,omitempty"`
}

// Crowder is a Transport that can make links which do nothing.
type Crowder interface {
	// Crowd makes count links, each from an address of its own, to the end that
	// has announced addr, which must Admit them.
	Crowd(addr string, count int) (io.Closer, error)
}

// Admitter is a Link whose end has links to others too.
type Admitter interface {
	// Admit waits until count others have made a link. Nothing can be sent over
	// those.
	Admit(count int) error
}
