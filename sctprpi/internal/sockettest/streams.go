package sockettest

import (
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var streamTests = []test{
	{rule: "each direction has as many streams as both ends allow (RFC 9260, section 5.1.1)", run: func(s *suite) {
		for _, n := range [][2]int{{1, 1}, {10, 3}, {3, 10}, {1024, 65_535}, {0, 7}} {
			a, b := s.pair(socket.Config{Streams: n[0]}, socket.Config{Streams: n[1]})
			want := min(orDefault(n[0]), orDefault(n[1]))
			for _, end := range []*assoc{a, b} {
				status, err := end.e.Status(end.id)
				require.NoError(s, err)
				require.Equal(s, want, status.Outbound)
				require.Equal(s, want, status.Inbound)
			}
			last := socket.StreamID(want - 1)
			a.mustSend(numbered(last, 0, 10).copied())
			b.untilReceived(1)
			require.Equal(s, last, b.messages[0].Stream)
			_, err := a.send(numbered(last+1, 0, 10).copied())
			require.ErrorIs(s, err, socket.ErrStream)
		}
	}},
	{rule: "every stream carries messages", run: func(s *suite) {
		a, b := s.pair(socket.Config{Streams: 5000}, socket.Config{Streams: 5000})
		var sent []message
		for i := range 2 {
			for stream := range 5000 {
				sent = append(sent, numbered(socket.StreamID(stream), i, 20))
			}
		}
		s.exchange(a, b, copies(sent), nil)
		b.requireReceived(sent)
	}},
	{rule: "ends that interleave and ends that do not understand each other (RFC 8260, section 2.2.1)", run: func(s *suite) {
		for i := range 4 {
			p, q := socket.Config{Interleaving: i&1 != 0}, socket.Config{Interleaving: i&2 != 0}
			a, b := s.pair(p, q)
			sent := append(append(bySize(6), series(7, 50, 30_000)...), unordered(8, 50, 30_000)...)
			s.exchange(a, b, copies(sent), loans(sent))
			a.requireReceived(sent)
			b.requireReceived(sent)
			if !p.Interleaving || !q.Interleaving {
				status, err := a.e.Status(a.id)
				require.NoError(s, err)
				require.False(s, status.Interleaving)
			}
		}
	}},
	{rule: "interleaving is used when both ends offer it", needs: []need{interleaving}, run: func(s *suite) {
		c := socket.Config{Interleaving: true}
		a, b := s.pair(c, c)
		for _, end := range []*assoc{a, b} {
			status, err := end.e.Status(end.id)
			require.NoError(s, err)
			require.True(s, status.Interleaving)
		}
	}},
	{rule: "whole messages can be had of interleaved ones", run: func(s *suite) {
		c := socket.Config{Interleaving: true, WholeMessages: true}
		a, b := s.pair(c, c)
		sent := append(bySize(6), unordered(8, 50, 30_000)...)
		s.exchange(a, b, copies(sent), nil)
		b.requireReceived(sent)
	}},
}

func orDefault(streams int) int {
	if streams == 0 {
		return 1024
	}
	return streams
}

// unordered returns a series of unordered messages.
func unordered(stream socket.StreamID, count, n int) []message {
	ms := series(stream, count, n)
	for i := range ms {
		ms[i].Unordered = true
	}
	return ms
}
