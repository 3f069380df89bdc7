package sockettest

import (
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var manyTests = []test{
	{rule: "one socket has an association with each of 64 peers", run: func(s *suite) {
		const peers = 64
		hub := s.open(socket.Config{})
		var ends []*endpoint
		for range peers {
			ends = append(ends, s.open(socket.Config{}))
		}
		// Half of them are called, half call.
		for i, e := range ends {
			if i%2 == 0 {
				hub.connect(e.LocalAddrs()...)
			} else {
				e.connect(hub.LocalAddrs()...)
			}
		}
		var all []func() error
		for i, e := range ends {
			e.only().queue(copies(talk(0, i))...)
			all = append(all, func() error { return e.order[0].awaitReceived(len(talkSizes) + 1) })
		}
		answered := make(map[*assoc]bool)
		all = append(all, func() error {
			return hub.await("messages of all", func() bool {
				done := 0
				for _, a := range hub.order {
					if len(a.messages) < len(talkSizes)+1 {
						continue
					}
					done++
					if !answered[a] {
						// The first message names its sender.
						answered[a] = true
						a.queue(loans(talk(int(a.messages[0].PPID), 0))...)
					}
				}
				return done == peers && hub.sent()
			})
		})
		s.together(all...)
		require.Len(s, hub.order, peers)
		seen := make(map[int]bool)
		for _, a := range hub.order {
			i := int(a.messages[0].PPID)
			require.False(s, seen[i], "peer %d has two associations", i)
			seen[i] = true
			a.requireReceived(talk(0, i))
			ends[i].order[0].requireReceived(talk(i, 0))
		}
	}},
	{rule: "8 sockets talk to each other, all having called all", run: func(s *suite) {
		const n = 8
		var es [n]*endpoint
		for i := range es {
			es[i] = s.open(socket.Config{})
		}
		var all []func() error
		for i, e := range es {
			all = append(all, func() error {
				for j, peer := range es {
					if i == j {
						continue
					}
					a, err := e.begin(peer)
					if err != nil {
						return err
					}
					a.queue(loans(talk(j, i))...)
				}
				return e.await("messages of all", func() bool {
					for _, a := range e.order {
						if len(a.messages) < len(talkSizes)+1 {
							return false
						}
					}
					return e.sent()
				})
			})
		}
		s.together(all...)
		for i, e := range es {
			e.drain()
			require.Len(s, e.order, n-1, "associations of socket %d", i)
			for _, a := range e.order {
				a.requireReceived(talk(i, int(a.messages[0].PPID)))
			}
		}
	}},
	{rule: "associations come and go", run: func(s *suite) {
		x := s.open(socket.Config{})
		for round := range 4 {
			var peers []*assoc
			for range 8 {
				b, _ := s.join(s.open(socket.Config{}), x)
				b.mustSend(copies(talk(0, round))...)
				peers = append(peers, b)
			}
			for i, b := range peers {
				if i%2 == 0 {
					require.NoError(s, b.e.Shutdown(b.id))
				} else {
					require.NoError(s, b.e.Abort(b.id, ""))
				}
			}
			x.until("the end of all", x.ended)
			for _, b := range peers {
				b.untilEnd()
				b.e.close()
			}
		}
	}},
}

var talkSizes = []int{100, 5000, 64, 60_000, 1}

// talk is what number from sends to number to, in one stream, so that the message that names the
// sender comes first.
func talk(to, from int) []message {
	ms := []message{{Stream: socket.StreamID(to), PPID: socket.PPID(from), Body: []byte{1}}}
	for i, size := range talkSizes {
		ms = append(ms, numbered(socket.StreamID(to), i, size))
	}
	return ms
}

// sent says whether all that was queued has been taken, and all lent come back.
func (e *endpoint) sent() bool {
	for _, a := range e.order {
		if len(a.outbox) > 0 || len(a.lent) > 0 {
			return false
		}
	}
	return true
}
