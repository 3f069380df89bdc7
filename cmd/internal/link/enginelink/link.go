package enginelink

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const (
	batch = 64
	// lendFrom is the size in bytes from which messages are sent without a copy.
	lendFrom = 64 << 10
	// spin is how long a socket without news is polled before the process blocks.
	spin = 100 * time.Microsecond
)

// sctp is one end: a socket, and its association that carries the messages.
type sctp struct {
	socket      *engine.Core
	driver      *driver.Driver
	news        *rpi.Waiter // signalled when an event has been handled
	err         error       // what went wrong then
	stop        func()
	peer        socket.AssocID // 0 until the peer is known
	established bool
	idle        int // associations with other ends
	writable    bool
	events      []socket.Event
	batch       []socket.Message
	message     []byte

	have    int // bytes of the message that is arriving, so far
	arrived int // messages that Receive has not returned for
	size    int // bytes of each of these
}

// newSCTP makes the end of a socket, which it closes if it fails. Between the calls an event loop
// tends the protocol.
func newSCTP(s *engine.Core) (*sctp, error) {
	l := &sctp{
		socket: s, news: rpi.NewWaiter(),
		events: make([]socket.Event, 256), batch: make([]socket.Message, batch),
	}
	var err error
	if l.driver, err = driver.New(network{s, l}, rpi.Config{Progress: rpi.Inline, Spin: spin}); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.SetWake(l.driver.Wake)
	ctx, cancel := context.WithCancel(context.Background())
	var loop sync.WaitGroup
	loop.Go(func() { l.driver.Loop(ctx) })
	l.stop = func() {
		cancel()
		loop.Wait()
	}
	return l, nil
}

func (l *sctp) Send(size, count int) error {
	if len(l.message) < size {
		l.message = make([]byte, size)
	}
	// All messages are in the same memory, which is never written to.
	for i, data := 0, [][]byte{l.message[:size]}; i < len(l.batch); i++ {
		l.batch[i] = socket.Message{Stream: 1, Data: data}
		if size >= lendFrom {
			l.batch[i].ZeroCopy, l.batch[i].Owner = true, l
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
	for l.arrived < count {
		if err := l.poll(); err != nil {
			return err
		}
	}
	if count > 0 && l.size != size {
		return wrongSize(l.size, size)
	}
	l.arrived -= count
	return nil
}

// AcceptIdle implements link.IdleAcceptor.
func (l *sctp) AcceptIdle(count int) error {
	for l.idle < count {
		if err := l.poll(); err != nil {
			return err
		}
	}
	return nil
}

// poll handles events. It waits until there is at least one.
func (l *sctp) poll() error {
	if err := l.driver.Await(context.Background(), l.news); err != nil {
		return err
	}
	return l.err
}

// network is a link as its driver sees it.
type network struct {
	*engine.Core
	link *sctp
}

// Poll implements driver.Network.
func (n network) Poll() (some bool, err error) {
	l := n.link
	count, err := n.Receive(l.events)
	for i := range l.events[:count] {
		l.err = errors.Join(l.err, l.handle(&l.events[i]))
		l.events[i].Release()
	}
	if count > 0 {
		l.news.Signal()
	}
	return count > 0, err
}

// Release implements driver.Network: no message waits for others.
func (n network) Release() {}

// Tend implements driver.Protocol.
func (n network) Tend() error { return n.Core.Poll() }

func (l *sctp) handle(e *socket.Event) error {
	switch e.Kind {
	case socket.Data:
		return l.count(e)
	case socket.Up:
		if l.peer == 0 {
			l.peer = e.Assoc
		}
		if e.Assoc != l.peer {
			l.idle++
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

// count counts the messages that have arrived, perhaps with the association and before Receive has said how long they are to be.
func (l *sctp) count(e *socket.Event) error {
	l.have += len(e.Payload)
	if !e.End {
		return nil
	}
	if l.arrived > 0 && l.have != l.size {
		return wrongSize(l.have, l.size)
	}
	l.size, l.have = l.have, 0
	l.arrived++
	return nil
}

func wrongSize(is, want int) error {
	return fmt.Errorf("a message of %d bytes has arrived, not of %d", is, want)
}

func (l *sctp) Close() error {
	l.driver.Close()
	l.stop()
	return l.socket.Close()
}
