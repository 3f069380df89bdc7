package sockettest

import (
	"context"
	"slices"
	"sync"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var closeTests = []test{
	{rule: "a closed socket does nothing but say so", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		sock, peer := a.e.Socket, b.e.LocalAddrs()
		a.e.close()
		_, err := sock.Connect(peer...)
		assert.ErrorIs(s, err, socket.ErrClosed, "Connect")
		n, err := sock.Send(a.id, copies(series(0, 3, 10)))
		assert.ErrorIs(s, err, socket.ErrClosed, "Send")
		assert.Zero(s, n)
		n, err = sock.Receive(make([]socket.Event, 10))
		assert.ErrorIs(s, err, socket.ErrClosed, "Receive")
		assert.Zero(s, n)
		assert.ErrorIs(s, sock.Wait(s.Context()), socket.ErrClosed, "Wait")
		assert.ErrorIs(s, sock.Shutdown(a.id), socket.ErrClosed, "Shutdown")
		assert.ErrorIs(s, sock.Abort(a.id, ""), socket.ErrClosed, "Abort")
		_, err = sock.Status(a.id)
		assert.ErrorIs(s, err, socket.ErrClosed, "Status")
		requireAborted(s, b)
	}},
	{rule: "closing again does nothing", run: func(s *suite) {
		e := s.open(socket.Config{})
		e.close()
		e.close()
		s.together(e.Close, e.Close, e.Close)
	}},
	{rule: "several may close at once", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		a.mustSend(loans(series(0, 100, 1000))...)
		a.e.closed = true
		s.together(a.e.Close, a.e.Close, a.e.Close)
		requireAborted(s, b)
	}},
	{rule: "Close wakes waiting goroutines", run: func(s *suite) {
		e := s.open(socket.Config{})
		ctx, cancel := context.WithTimeout(context.Background(), s.patience)
		defer cancel()
		errs := make([]error, 4)
		var started, done sync.WaitGroup
		started.Add(len(errs))
		for i := range errs {
			done.Go(func() {
				started.Done()
				errs[i] = e.Wait(ctx)
			})
		}
		started.Wait()
		e.close()
		done.Wait()
		for _, err := range errs {
			require.ErrorIs(s, err, socket.ErrClosed)
		}
	}},
	{rule: "memory that has been received outlives the socket", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		var events []socket.Event
		var want [][]byte
		b.e.keep = func(e *socket.Event) bool {
			events = append(events, *e)
			want = append(want, slices.Clone(e.Payload))
			return true
		}
		sent := series(0, 50, 3000)
		a.mustSend(copies(sent)...)
		b.untilReceived(len(sent))
		b.e.close()
		requireAborted(s, a)
		for i := range events {
			require.Equal(s, want[i], events[i].Payload)
			events[i].Release()
		}
	}},
	{rule: "an address that a socket has left can be used again", needs: []need{rebind}, run: func(s *suite) {
		x, y := s.open(socket.Config{}), s.open(socket.Config{})
		_, b := s.join(x, y)
		x.close()
		requireAborted(s, b)
		again := s.adopt(s.features.Rebind(s, socket.Config{}, x.LocalAddrs()[0]), socket.Config{})
		require.Equal(s, x.LocalAddrs()[0], again.LocalAddrs()[0])
		c, d := s.join(again, y)
		require.NotEqual(s, b.id, d.id)
		requireConversation(s, c, d)
	}},
}
