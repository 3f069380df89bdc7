package enginelink

import (
	"context"
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const (
	batch = 64
	// lendFrom is the size in bytes of messages from which on they are lent.
	lendFrom = 64 << 10
	// spins is how many times a socket is asked in vain before the process
	// waits.
	spins = 300
)

// sctp is one end: a socket, and the association of it that messages go over.
type sctp struct {
	socket      socket.Socket
	peer        socket.AssocID // 0 while it is not known
	established bool
	others      int // associations, beside the peer's
	writable    bool
	events      []socket.Event
	batch       []socket.Message
	message     []byte

	size, have int // bytes of the message that arrives: all, and so far
	arrived    int // messages, since Receive was called
}

func newSCTP(s socket.Socket, peer socket.AssocID) *sctp {
	return &sctp{socket: s, peer: peer, events: make([]socket.Event, 256), batch: make([]socket.Message, batch)}
}

func (l *sctp) Send(size, count int) error {
	if len(l.message) < size {
		l.message = make([]byte, size)
	}
	// All messages are the same memory, which is never written to.
	for i, data := 0, [][]byte{l.message[:size]}; i < len(l.batch); i++ {
		l.batch[i] = socket.Message{Stream: 1, Data: data}
		if size >= lendFrom {
			l.batch[i].Lend, l.batch[i].Owner = true, l
		}
	}
	for count > 0 {
		l.writable = false
		n, err := l.socket.Send(l.peer, l.batch[:min(count, batch)])
		count -= n
		switch {
		case errors.Is(err, socket.ErrWouldBlock):
			for !l.writable {
				if err := l.poll(); err != nil {
					return err
				}
			}
		case err != nil:
			return err
		}
	}
	return nil
}

func (l *sctp) Receive(size, count int) error {
	l.size, l.arrived = size, 0
	for l.arrived < count {
		if err := l.poll(); err != nil {
			return err
		}
	}
	if l.arrived > count {
		return fmt.Errorf("%d messages have come, not %d", l.arrived, count)
	}
	return nil
}

// Admit implements link.Admitter.
func (l *sctp) Admit(count int) error {
	for l.others < count {
		if err := l.wait(context.Background()); err != nil {
			return err
		}
	}
	return nil
}

// poll deals with what has happened, and waits for something to happen.
func (l *sctp) poll() error {
	for range spins {
		if n, err := l.take(); n > 0 || err != nil {
			return err
		}
	}
	return l.wait(context.Background())
}

// wait is poll without spinning.
func (l *sctp) wait(ctx context.Context) error {
	if err := l.socket.Wait(ctx); err != nil {
		return err
	}
	_, err := l.take()
	return err
}

// take deals with what has happened.
func (l *sctp) take() (n int, err error) {
	n, err = l.socket.Receive(l.events)
	for i := range l.events[:n] {
		if wrong := l.handle(&l.events[i]); wrong != nil && err == nil {
			err = wrong
		}
		l.events[i].Release()
	}
	return n, err
}

func (l *sctp) handle(e *socket.Event) error {
	switch e.Kind {
	case socket.Data:
		return l.count(e)
	case socket.Up:
		if l.peer == 0 {
			l.peer = e.Assoc
		}
		if e.Assoc != l.peer {
			l.others++
		} else {
			l.established = true
		}
	case socket.Writable:
		l.writable = true
	case socket.Released:
	default:
		return fmt.Errorf("association %d has failed, event %d: %w", e.Assoc, e.Kind, e.Err)
	}
	return nil
}

// count counts the messages that have arrived.
func (l *sctp) count(e *socket.Event) error {
	l.have += len(e.Payload)
	if !e.End {
		return nil
	}
	if l.have != l.size {
		return fmt.Errorf("a message of %d bytes has come, not of %d", l.have, l.size)
	}
	l.have = 0
	l.arrived++
	return nil
}

func (l *sctp) Close() error { return l.socket.Close() }
