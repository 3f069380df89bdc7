package sockettest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// endpoint is a socket with what has happened to it. Of its methods one may be
// called at a time, by any goroutine, but for those of the Socket and of assoc.send.
type endpoint struct {
	socket.Socket
	s      *suite
	name   string
	config socket.Config
	batch  []socket.Event
	// keep is asked about each Data event, if set, whether its memory shall
	// not be released.
	keep func(e *socket.Event) bool

	mu     sync.Mutex
	assocs map[socket.AssocID]*assoc
	// order has the associations in the order in which they became known.
	order  []*assoc
	closed bool
}

// adopt takes care of a socket until the end of the test.
func (s *suite) adopt(sock socket.Socket, c socket.Config) *endpoint {
	e := &endpoint{
		Socket: sock, s: s, name: fmt.Sprintf("socket %d", len(s.endpoints)), config: c,
		batch: make([]socket.Event, 64), assocs: make(map[socket.AssocID]*assoc),
	}
	s.endpoints = append(s.endpoints, e)
	s.Cleanup(func() { assert.NoError(s, sock.Close()) })
	return e
}

// connect begins an association, or finds the one there is.
func (e *endpoint) connect(peer ...socket.Addr) *assoc {
	e.s.Helper()
	id, err := e.Connect(peer...)
	require.NoError(e.s, err)
	require.NotZero(e.s, id)
	return e.assoc(id)
}

// assoc returns what is known of an association.
func (e *endpoint) assoc(id socket.AssocID) *assoc {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.assocs[id]
	if a == nil {
		a = newAssoc(e, id)
		e.assocs[id] = a
		e.order = append(e.order, a)
	}
	return a
}

// receive takes what has happened, without waiting, and returns how many events
// it was.
func (e *endpoint) receive() (int, error) {
	n, err := e.Receive(e.batch)
	if n < 0 || n > len(e.batch) || n > 0 && err != nil {
		e.s.Errorf("%s: Receive returned %d events of at most %d, and %v", e.name, n, len(e.batch), err)
		return 0, err
	}
	for i := range e.batch[:n] {
		e.take(&e.batch[i])
	}
	if n == 0 && err == nil && e.config.WholeMessages {
		for _, a := range e.order {
			if len(a.partial) > 0 {
				a.fault("WholeMessages is set, and the rest of a message is not there")
			}
		}
	}
	return n, err
}

func (e *endpoint) take(event *socket.Event) {
	a := e.assoc(event.Assoc)
	a.take(event)
	if event.Kind == socket.Data && (e.keep == nil || !e.keep(event)) {
		event.Release()
		if event.Payload != nil || event.Memory != nil {
			a.fault("Event.Release has left the payload")
		}
	}
}

// pump sends what has been queued and receives events until done.
func (e *endpoint) pump(ctx context.Context, done func() bool) error {
	woken := false
	for {
		for _, a := range e.order {
			if err := a.flush(); err != nil {
				return err
			}
		}
		if done() {
			return nil
		}
		if slices.ContainsFunc(e.order, (*assoc).sendable) {
			continue // done has queued something
		}
		n, err := e.receive()
		switch {
		case err != nil:
			return fmt.Errorf("%s: Receive: %w", e.name, err)
		case n == 0 && woken:
			return fmt.Errorf("%s: Wait returned, but there is nothing to receive", e.name)
		case n == 0:
			if err := e.Wait(ctx); err != nil {
				return fmt.Errorf("%s: Wait: %w", e.name, err)
			}
		}
		woken = n == 0
	}
}

// until pumps until done. It ends the test if that takes too long.
func (e *endpoint) until(what string, done func() bool) {
	e.s.Helper()
	require.NoError(e.s, e.await(what, done))
}

func (e *endpoint) await(what string, done func() bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), e.s.patience)
	defer cancel()
	err := e.pump(ctx, done)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("waited in vain for %s: %w%s", what, err, e.report())
	}
	return err
}

// report says how things stand, for the reader of a failed test.
func (e *endpoint) report() string {
	var b strings.Builder
	for _, a := range e.order {
		st, err := e.Status(a.id)
		fmt.Fprintf(&b, "\n  association %d: events %v, %d messages, %d in part, %d lent, %d queued, status %+v %v",
			a.id, a.history, len(a.messages), len(a.partial), len(a.lent), len(a.outbox), st, err)
	}
	return b.String()
}

// drain receives what is there, without waiting.
func (e *endpoint) drain() {
	e.s.Helper()
	for {
		n, err := e.receive()
		require.NoError(e.s, err)
		if n == 0 {
			return
		}
	}
}

// together runs functions at the same time, and ends the test if one fails.
func (s *suite) together(fs ...func() error) {
	s.Helper()
	errs := make([]error, len(fs))
	var all sync.WaitGroup
	for i, f := range fs {
		all.Go(func() { errs[i] = f() })
	}
	all.Wait()
	require.NoError(s, errors.Join(errs...))
}

// shutdownAll shuts down what is left and waits for all associations to end.
func (s *suite) shutdownAll() {
	s.Helper()
	if s.Failed() {
		return
	}
	var all []func() error
	for _, e := range s.endpoints {
		if e.closed {
			continue
		}
		all = append(all, func() error {
			for _, a := range e.order {
				if a.end != nil {
					continue
				}
				if err := e.leave(a); err != nil {
					return err
				}
			}
			return e.await("the end of all associations", e.ended)
		})
	}
	s.together(all...)
	for _, e := range s.endpoints {
		if !e.closed {
			e.drain()
		}
	}
}

// ended says whether all associations that are known have come to an end.
func (e *endpoint) ended() bool {
	for _, a := range e.order {
		if a.end == nil {
			return false
		}
	}
	return true
}

// close closes the socket before the end of the test.
func (e *endpoint) close() {
	e.s.Helper()
	e.closed = true
	require.NoError(e.s, e.Close())
}

// wait waits for something to receive.
func (e *endpoint) wait() {
	e.s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), e.s.patience)
	defer cancel()
	require.NoError(e.s, e.Wait(ctx))
}

// linger pumps for a time, for what can be seen of something that does not happen.
func (e *endpoint) linger(d time.Duration) {
	e.s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	require.ErrorIs(e.s, e.pump(ctx, func() bool { return false }), context.DeadlineExceeded)
}
