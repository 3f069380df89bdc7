package engine

import (
	"context"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/looping"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Socket is a Core that a goroutine of its own drives: a socket.Socket that also implements
// socket.StreamReceiver and what Core implements. Use Listen.
type Socket struct {
	*Core
	loop *looping.Loop
}

var _ interface {
	socket.Socket
	socket.StreamReceiver
} = (*Socket)(nil)

// Listen opens a socket.
func Listen(c Config) (*Socket, error) {
	core, err := Open(c)
	if err != nil {
		return nil, err
	}
	loop, err := looping.Start(core)
	if err != nil {
		return nil, err
	}
	return &Socket{core, loop}, nil
}

// Wait implements socket.Socket.
func (s *Socket) Wait(ctx context.Context) error { return s.loop.Wait(ctx) }

// Wake implements socket.Socket.
func (s *Socket) Wake() { s.loop.Wake() }

// WaitStream waits until ReceiveStream has something to return.
func (s *Socket) WaitStream(ctx context.Context, id socket.AssocID, stream socket.StreamID) error {
	return s.loop.WaitUntil(ctx, func() (bool, error) { return s.StreamReady(id, stream) })
}

// Receive fills in events, and looks at the network if there are none.
func (s *Socket) Receive(events []socket.Event) (int, error) {
	defer s.loop.Changed() // what has arrived may be for a stream that a goroutine waits for
	return s.Core.Receive(events)
}

// ReceiveStream is Receive for the data of one stream.
func (s *Socket) ReceiveStream(id socket.AssocID, stream socket.StreamID, events []socket.Event) (int, error) {
	defer s.loop.Changed()
	return s.Core.ReceiveStream(id, stream, events)
}

// PutBack gives back what is left of an event, and puts its stream on hold.
func (s *Socket) PutBack(e *socket.Event, taken int) error {
	defer s.loop.Changed()
	return s.Core.PutBack(e, taken)
}

// Abort ends an association at once.
func (s *Socket) Abort(id socket.AssocID, reason string) error {
	defer s.loop.Changed()
	return s.Core.Abort(id, reason)
}

// Close aborts all associations and closes the socket.
func (s *Socket) Close() error {
	s.loop.Stop()
	return s.Core.Close()
}
