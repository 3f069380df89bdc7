package sockettest

import (
	"bytes"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var pieceTests = []test{
	{rule: "a message may be longer than the receive buffer", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{ReceiveBuffer: 128 << 10})
		sent := []message{numbered(0, 0, 1<<20), numbered(1, 1, 1<<20), numbered(0, 2, 300_000)}
		s.exchange(a, b, copies(sent), nil)
		b.requireReceived(sent)
	}},
	{rule: "whole messages are delivered whole", run: func(s *suite) {
		// That no message is delivered in part the endpoint itself checks.
		c := socket.Config{WholeMessages: true}
		a, b := s.pair(c, c)
		sent := append(bySize(4), series(2, 100, 10_000)...)
		s.exchange(a, b, copies(sent), loans(sent))
		a.requireReceived(sent)
		b.requireReceived(sent)
	}},
	{rule: "an end that wants whole messages and one that does not go together", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{WholeMessages: true})
		sent := bySize(4)
		s.exchange(a, b, copies(sent), copies(sent))
		a.requireReceived(sent)
		b.requireReceived(sent)
	}},
	{rule: "a payload stays as it is until its Release", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		type kept struct {
			event socket.Event
			bytes []byte
		}
		var all []kept
		b.e.keep = func(e *socket.Event) bool {
			if len(all)%4 == 3 {
				all = append(all, kept{})
				return false
			}
			all = append(all, kept{*e, slices.Clone(e.Payload)})
			return true
		}
		sent := append(series(0, 200, 1000), series(1, 5, 100_000)...)
		s.exchange(a, b, copies(sent), nil)
		b.requireReceived(sent)
		for i := range all {
			require.True(s, bytes.Equal(all[i].bytes, all[i].event.Payload), "payload %d has changed", i)
			all[i].event.Release()
			all[i].event.Release() // does nothing
		}
		b.e.keep = nil
		s.exchange(a, b, copies(sent), nil)
	}},
	{rule: "what is received is of no account to the receive buffer", run: func(s *suite) {
		// Memory that the user keeps is the user's affair.
		a, b := s.pair(socket.Config{}, socket.Config{ReceiveBuffer: 128 << 10})
		var kept []socket.Event
		b.e.keep = func(e *socket.Event) bool {
			kept = append(kept, *e)
			return true
		}
		sent := series(0, 512, 1000)
		s.exchange(a, b, copies(sent), nil)
		b.requireReceived(sent)
		for i := range kept {
			kept[i].Release()
		}
		b.e.keep = nil
	}},
	{rule: "Receive with no room for events returns none and loses none", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		a.mustSend(numbered(0, 0, 10).copied())
		b.e.wait()
		n, err := b.e.Receive(nil)
		require.NoError(s, err)
		require.Zero(s, n)
		b.untilReceived(1)
	}},
}
