package sctprpi

import (
	"bytes"
	"net/netip"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// copying is a socket of the engine that copies what it sends, and delivers a message as one piece, as the kernel's does: so
// records can be sent over it.
type copying struct {
	*engine.Core
	partial map[of][]byte
}

// of is a stream of an association.
type of struct {
	assoc  socket.AssocID
	stream socket.StreamID
}

func (c *copying) Send(id socket.AssocID, messages []socket.Message) (int, error) {
	copies := make([]socket.Message, len(messages))
	for i, m := range messages {
		m.Data = [][]byte{bytes.Join(m.Data, nil)}
		copies[i] = m
	}
	return c.Core.Send(id, copies)
}

func (c *copying) Receive(events []socket.Event) (int, error) {
	for {
		n, err := c.Core.Receive(events)
		whole := events[:0]
		for _, e := range events[:n] {
			if e.Kind != socket.Data || c.join(&e) {
				whole = append(whole, e)
			}
		}
		if len(whole) > 0 || n == 0 {
			return len(whole), err
		}
	}
}

// join adds a piece to its message, and makes e the event of all of it when it is the last one.
func (c *copying) join(e *socket.Event) bool {
	key := of{e.Assoc, e.Stream}
	message := append(c.partial[key], e.Payload...)
	e.Release()
	if !e.End {
		c.partial[key] = message
		return false
	}
	delete(c.partial, key)
	e.Begin, e.Payload = true, message
	return true
}

// records are the options of a transport that seals its messages, over sockets that listen opens.
func records(listen func(socket.Config, []netip.Addr, uint16) (socket.Core, error)) Options {
	return Options{Records: true, Listen: func(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
		s, err := listen(c, local, port)
		if err != nil {
			return nil, err
		}
		return &copying{s.(*engine.Core), make(map[of][]byte)}, nil
	}}
}
