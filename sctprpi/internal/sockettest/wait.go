package sockettest

import (
	"context"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var waitTests = []test{
	{rule: "Wait gives up with its context", run: func(s *suite) {
		e := s.open(socket.Config{})
		ended, cancel := context.WithCancel(s.Context())
		cancel()
		require.ErrorIs(s, e.Wait(ended), context.Canceled)

		late, cancel := context.WithTimeout(s.Context(), time.Millisecond)
		defer cancel()
		require.ErrorIs(s, e.Wait(late), context.DeadlineExceeded)

		ctx, cancel := context.WithCancel(s.Context())
		done := make(chan error)
		go func() { done <- e.Wait(ctx) }()
		cancel()
		require.ErrorIs(s, <-done, context.Canceled)
	}},
	{rule: "a Wait that is given up does not take the event from another", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		for i := range 50 {
			ctx, cancel := context.WithCancel(s.Context())
			var impatient sync.WaitGroup
			for range 3 {
				impatient.Go(func() { _ = b.e.Wait(ctx) })
			}
			received := make(chan error)
			go func() { received <- b.awaitReceived(i + 1) }()
			a.mustSend(numbered(0, i, 10).copied())
			cancel()
			require.NoError(s, <-received)
			impatient.Wait()
		}
	}},
	{rule: "an event wakes all goroutines that wait", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		for i := range 20 {
			b.e.drain()
			ctx, cancel := context.WithTimeout(context.Background(), s.patience)
			var waits []func() error
			for range 8 {
				waits = append(waits, func() error { return b.e.Wait(ctx) })
			}
			waits = append(waits, func() error {
				_, err := a.send(numbered(0, i, 10).copied())
				return err
			})
			s.together(waits...) // no event is received before all have returned
			cancel()
			b.untilReceived(i + 1)
		}
	}},
	{rule: "Wait returns at once when there is something", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		a.mustSend(numbered(0, 0, 10).copied())
		for range 5 {
			b.e.wait()
		}
		b.untilReceived(1)
	}},
	{rule: "Wake ends a Wait, or the next", run: func(s *suite) {
		e := s.open(socket.Config{})
		for range 50 {
			done := make(chan error)
			go func() { done <- e.Wait(s.Context()) }()
			e.Wake()
			require.NoError(s, <-done)
		}
		ended, cancel := context.WithCancel(s.Context())
		cancel()
		require.ErrorIs(s, e.Wait(ended), context.Canceled, "Wake counts once")
	}},
	{rule: "Receive alone makes progress, without Wait", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		deadline := time.Now().Add(s.patience)
		for i := range 200 {
			a.mustSend(numbered(0, i, 100).copied())
			for len(b.messages) <= i && time.Now().Before(deadline) {
				_, err := b.e.receive()
				require.NoError(s, err)
			}
			require.Len(s, b.messages, i+1)
		}
	}},
}
