package interoptest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// patience bounds a failing run and never decides a passing one.
const patience = time.Minute

// Peer is a socket with one association, and all that has happened to it. One goroutine
// at a time may use it.
type Peer struct {
	socket.Socket
	ID       socket.AssocID
	Seen     map[socket.Kind]int
	Messages []Message
	// End is the event that has ended the association.
	End *socket.Event
	// OnData, if set, is called with each Data event before it is taken.
	OnData func(e *socket.Event)

	t       testing.TB
	events  []socket.Event
	partial map[socket.StreamID][]byte
	outbox  []socket.Message
	blocked bool // until Writable
}

// NewPeer takes care of a socket until the end of the test.
func NewPeer(t testing.TB, s socket.Socket) *Peer {
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return &Peer{
		Socket: s, Seen: make(map[socket.Kind]int), t: t,
		events: make([]socket.Event, 64), partial: make(map[socket.StreamID][]byte),
	}
}

// Dial begins an association with a peer that has those addresses.
func (p *Peer) Dial(to ...socket.Addr) {
	p.t.Helper()
	id, err := p.Connect(to...)
	require.NoError(p.t, err)
	p.ID = id
}

// Queue has messages sent by Await, as there is room.
func (p *Peer) Queue(messages ...Message) {
	for _, m := range messages {
		p.outbox = append(p.outbox, socket.Message{Stream: m.Stream, PPID: m.PPID, Data: [][]byte{m.Body}})
	}
}

// Await sends what is queued and receives until done. It is an error if that takes very
// long, or is not so when the association ends.
func (p *Peer) Await(what string, done func() bool) error { return p.await(what, done, patience) }

// Until is Await, and ends the test if there is an error.
func (p *Peer) Until(what string, done func() bool) {
	p.t.Helper()
	require.NoError(p.t, p.Await(what, done))
}

// Poll is Until for what no event tells of.
func (p *Peer) Poll(what string, done func() bool) {
	p.t.Helper()
	const interval = 5 * time.Millisecond
	require.NoError(p.t, p.await(what, done, interval))
}

// await waits for an event for no longer than an interval at a time.
func (p *Peer) await(what string, done func() bool, interval time.Duration) error {
	for deadline := time.Now().Add(patience); ; {
		if err := p.flush(); err != nil {
			return err
		}
		if done() {
			return nil
		}
		if p.End != nil {
			return fmt.Errorf("waiting for %s: the association has ended: %v: %w", what, p.End.Kind, p.End.Err)
		}
		n, err := p.Receive(p.events)
		if err != nil {
			return fmt.Errorf("waiting for %s: %w", what, err)
		}
		for i := range p.events[:n] {
			p.take(&p.events[i])
		}
		if n > 0 {
			continue
		}
		if time.Now().After(deadline) {
			status, err := p.Status(p.ID)
			return fmt.Errorf("waited in vain for %s: seen %v, %d messages, %d to send, status %+v %v",
				what, p.Seen, len(p.Messages), len(p.outbox), status, err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), interval)
		err = p.Wait(ctx)
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("waiting for %s: %w", what, err)
		}
	}
}

// flush sends what there is room for.
func (p *Peer) flush() error {
	for len(p.outbox) > 0 && !p.blocked && p.End == nil {
		n, err := p.Send(p.ID, p.outbox[:min(len(p.outbox), 64)])
		p.outbox = p.outbox[n:]
		switch {
		case errors.Is(err, socket.ErrWouldBlock):
			p.blocked = true
		case err != nil:
			return fmt.Errorf("sending: %w", err)
		}
	}
	return nil
}

// take books an event.
func (p *Peer) take(e *socket.Event) {
	p.Seen[e.Kind]++
	switch e.Kind {
	case socket.Up:
		p.ID = e.Assoc
	case socket.Restarted:
		p.blocked = false
		clear(p.partial)
	case socket.Writable:
		p.blocked = false
	case socket.Closed, socket.Aborted, socket.Lost:
		end := *e
		p.End = &end
	case socket.Data:
		if p.OnData != nil {
			p.OnData(e)
		}
		body := append(p.partial[e.Stream], e.Payload...)
		delete(p.partial, e.Stream)
		if e.End {
			p.Messages = append(p.Messages, Message{e.Stream, e.PPID, body})
		} else {
			p.partial[e.Stream] = body
		}
		e.Release()
	}
}

// Sent reports whether the socket has all that was queued.
func (p *Peer) Sent() bool { return len(p.outbox) == 0 }

// Acknowledged reports whether the other end has all that was sent.
func (p *Peer) Acknowledged() bool {
	status, err := p.Status(p.ID)
	return err == nil && p.Sent() && status.Queued+status.Outstanding == 0
}

// UntilSeen receives until there has been an event of a kind.
func (p *Peer) UntilSeen(kind socket.Kind) {
	p.t.Helper()
	p.Until(kind.String(), func() bool { return p.Seen[kind] > 0 })
}

// UntilReceived receives until there have been n messages.
func (p *Peer) UntilReceived(n int) {
	p.t.Helper()
	p.Until(fmt.Sprint(n, " messages"), func() bool { return len(p.Messages) >= n })
}

// Forget prepares for another association after one that has ended.
func (p *Peer) Forget() {
	*p = Peer{
		Socket: p.Socket, Seen: make(map[socket.Kind]int), t: p.t,
		events: p.events, partial: make(map[socket.StreamID][]byte),
	}
}

// Join makes an association between two peers, begun by the first. It calls the addresses
// of the other in their order.
func Join(a, b *Peer) {
	a.t.Helper()
	a.Dial(b.LocalAddrs()...)
	a.UntilSeen(socket.Up)
	b.UntilSeen(socket.Up)
}

// Together calls functions at the same time and ends the test if one fails.
func Together(t testing.TB, fs ...func() error) {
	t.Helper()
	errs := make([]error, len(fs))
	var all sync.WaitGroup
	for i, f := range fs {
		all.Go(func() { errs[i] = f() })
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
}
