package sockettest

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Sink is a socket that takes everything and from which nothing comes.
type Sink struct{}

// LocalAddrs implements socket.Endpoint.
func (Sink) LocalAddrs() []socket.Addr { return nil }

// Connect implements socket.Endpoint.
func (Sink) Connect(...socket.Addr) (socket.AssocID, error) { return 1, nil }

// Send implements socket.Endpoint.
func (Sink) Send(_ socket.AssocID, messages []socket.Message) (int, error) { return len(messages), nil }

// Receive implements socket.Endpoint.
func (Sink) Receive([]socket.Event) (int, error) { return 0, nil }

// Shutdown implements socket.Endpoint.
func (Sink) Shutdown(socket.AssocID) error { return nil }

// Abort implements socket.Endpoint.
func (Sink) Abort(socket.AssocID, string) error { return nil }

// Status implements socket.Endpoint.
func (Sink) Status(socket.AssocID) (socket.Status, error) { return socket.Status{}, nil }

// Close implements socket.Endpoint.
func (Sink) Close() error { return nil }

// Poll implements socket.Core.
func (Sink) Poll() error { return nil }

// Ready implements socket.Core.
func (Sink) Ready() bool { return false }

// Rest implements socket.Core.
func (Sink) Rest(bool) (deadline time.Time, ready bool) { return deadline, false }

// Resume implements socket.Core.
func (Sink) Resume() {}

// Descriptor implements socket.Core.
func (Sink) Descriptor() int { return -1 }

// SetWake implements socket.Core.
func (Sink) SetWake(func()) {}

// Embedded implements socket.Core.
func (Sink) Embedded() bool { return true }
