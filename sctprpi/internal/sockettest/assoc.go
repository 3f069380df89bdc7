package sockettest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// assoc is an association as one end sees it.
type assoc struct {
	e  *endpoint
	id socket.AssocID

	// history has the kinds of the events but for Data and Released; end is
	// the event that ended the association.
	history []string
	up      bool
	upAddr  socket.Addr
	end     *socket.Event
	seen    map[socket.Kind]int
	// messages have been received, partial are begun.
	messages []message
	partial  map[partialKey]*partial
	broken   int
	// lent are messages that the socket has, released those that came back.
	lent     map[any]bool
	released []release
	// credit is how many Writable events there may be.
	credit int
	faults int
	// outbox waits to be sent; blocked says that Writable must come first,
	// over that nothing can be sent any more.
	outbox  []socket.Message
	blocked bool
	over    bool
	// onRelease is called with each Released event, if set.
	onRelease func(owner any)
}

type release struct {
	owner   any
	outcome socket.Outcome
}

func newAssoc(e *endpoint, id socket.AssocID) *assoc {
	return &assoc{
		e: e, id: id, seen: make(map[socket.Kind]int),
		partial: make(map[partialKey]*partial), lent: make(map[any]bool),
	}
}

// send is the socket's Send, with account of what is lent and blocked.
func (a *assoc) send(ms ...socket.Message) (int, error) {
	a.e.mu.Lock()
	a.credit++
	for _, m := range ms {
		if m.ZeroCopy {
			a.lent[m.Owner] = true
		}
	}
	a.e.mu.Unlock()
	n, err := a.e.Send(a.id, ms)
	a.e.mu.Lock()
	defer a.e.mu.Unlock()
	if n < 0 || n > len(ms) || (n < len(ms)) != (err != nil) {
		a.fault("Send took %d of %d messages and returned %v", n, len(ms), err)
		n = max(0, min(n, len(ms)))
	}
	if !errors.Is(err, socket.ErrWouldBlock) {
		a.credit--
	}
	for _, m := range ms[n:] {
		if m.ZeroCopy {
			delete(a.lent, m.Owner)
		}
	}
	return n, err
}

// mustSend sends messages for which there is room.
func (a *assoc) mustSend(ms ...socket.Message) {
	a.e.s.Helper()
	_, err := a.send(ms...)
	require.NoError(a.e.s, err)
}

// queue has messages sent by pump, as far as there is room.
func (a *assoc) queue(ms ...socket.Message) { a.outbox = append(a.outbox, ms...) }

func (a *assoc) sendable() bool {
	return len(a.outbox) > 0 && !a.blocked && !a.over && a.end == nil
}

// flush sends what has been queued.
func (a *assoc) flush() error {
	for a.sendable() {
		n, err := a.send(a.outbox[:min(len(a.outbox), 64)]...)
		a.outbox = a.outbox[n:]
		switch {
		case errors.Is(err, socket.ErrWouldBlock):
			a.blocked = true
		case errors.Is(err, socket.ErrAssoc), errors.Is(err, socket.ErrShutdown):
			a.over = true // the event is on its way
		case err != nil:
			return fmt.Errorf("%s: Send: %w", a.e.name, err)
		}
	}
	return nil
}

// until pumps until done. It ends the test if that takes too long, or when the
// association ends.
func (a *assoc) until(what string, done func() bool) {
	a.e.s.Helper()
	require.NoError(a.e.s, a.await(what, done))
}

func (a *assoc) await(what string, done func() bool) error {
	if err := a.e.await(what, func() bool { return a.end != nil || done() }); err != nil {
		return err
	}
	if !done() {
		return fmt.Errorf("%s: association has ended instead of %s: %s, %v", a.e.name, what, kindName(a.end.Kind), a.end.Err)
	}
	return nil
}

// untilEnd pumps until the association ends, and returns the event.
func (a *assoc) untilEnd() *socket.Event {
	a.e.s.Helper()
	a.e.until("the association's end", func() bool { return a.end != nil })
	return a.end
}

// untilReceived pumps until there have been n messages.
func (a *assoc) untilReceived(n int) {
	a.e.s.Helper()
	require.NoError(a.e.s, a.awaitReceived(n))
}

func (a *assoc) awaitReceived(n int) error {
	return a.await(fmt.Sprintf("%d messages", n), func() bool { return len(a.messages) >= n })
}

// awaitSent pumps until the socket has taken all that was queued and has given
// back all that was lent.
func (a *assoc) awaitSent() error {
	return a.await("room to send", func() bool { return len(a.outbox) == 0 && len(a.lent) == 0 })
}

// untilReleased pumps until the socket has nothing lent.
func (a *assoc) untilReleased() {
	a.e.s.Helper()
	a.e.until("lent messages", func() bool { return len(a.lent) == 0 })
}

// requireReceived checks that what was sent has been received: all of it, intact,
// nothing else, and in the order of each stream but for what is unordered.
func (a *assoc) requireReceived(sent []message) {
	a.e.s.Helper()
	require.Len(a.e.s, a.messages, len(sent), "messages received")
	next := make(map[socket.StreamID][]message)
	unordered := make(map[string]int)
	for _, m := range sent {
		if m.Unordered {
			unordered[m.String()+string(m.Body)]++
		} else {
			next[m.Stream] = append(next[m.Stream], m)
		}
	}
	for i, got := range a.messages {
		if got.Unordered {
			k := got.String() + string(got.Body)
			require.Positive(a.e.s, unordered[k], "message %d received was not sent, or not so often: %v", i, got)
			unordered[k]--
			continue
		}
		require.NotEmpty(a.e.s, next[got.Stream], "message %d received was not sent: %v", i, got)
		want := next[got.Stream][0]
		next[got.Stream] = next[got.Stream][1:]
		if got.PPID != want.PPID || !bytes.Equal(got.Body, want.Body) {
			require.FailNow(a.e.s, "message is not the next of its stream, or damaged", "message %d: got %v, want %v", i, got, want)
		}
	}
}
