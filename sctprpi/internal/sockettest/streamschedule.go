package sockettest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Each test queues many times as much as the receiver can hold on stream 1, then as much on stream
// 2, before anything is read. How far one stream is when the other is done shows which went first.
const (
	backlog     = 200
	backlogSize = 8 << 10
	window      = 64 << 10
	// inFlight is how many of the messages may have gone ahead of a schedule.
	inFlight = 2 * window / backlogSize
)

// RFC 8260, section 3.
var streamScheduleTests = []test{
	{rule: "first come, first served (section 3.1)", run: func(s *suite) {
		order := s.race(socket.FirstCome, 0, 0)
		assert.GreaterOrEqual(s, order.left(1, 2), backlog-2*inFlight)
		assert.EqualValues(s, 2, order[len(order)-1])
	}},
	{rule: "in turn (section 3.2)", needs: []need{streamSchedule}, run: func(s *suite) {
		order := s.race(socket.RoundRobin, 0, 0)
		assert.LessOrEqual(s, order.left(1, 2), inFlight)
		assert.LessOrEqual(s, order.left(2, 1), inFlight)
	}},
	{rule: "by priority, the lower value first (section 3.4)", needs: []need{streamSchedule}, run: func(s *suite) {
		order := s.race(socket.Priority, 5, 2)
		assert.GreaterOrEqual(s, order.left(2, 1), backlog-2*inFlight)
		assert.EqualValues(s, 1, order[len(order)-1])
	}},
	{rule: "by weight (section 3.6)", needs: []need{streamSchedule}, run: func(s *suite) {
		order := s.race(socket.Weighted, 1, 10)
		assert.GreaterOrEqual(s, order.left(2, 1), backlog-backlog/10-2*inFlight)
		assert.EqualValues(s, 1, order[len(order)-1])
	}},
	{rule: "every schedule delivers everything", run: func(s *suite) {
		for _, scheduler := range []socket.Scheduler{socket.FirstCome, socket.RoundRobin, socket.Priority, socket.Weighted} {
			for _, interleave := range []bool{false, true} {
				c := socket.Config{Scheduler: scheduler, Interleaving: interleave}
				a, b := s.pair(c, c)
				sent := append(bySize(9), series(3, 100, 5000)...)
				s.exchange(a, b, copies(sent), loans(sent))
				a.requireReceived(sent)
				b.requireReceived(sent)
			}
		}
	}},
	{rule: "a value is of a stream that exists", needs: []need{streamSchedule}, run: func(s *suite) {
		a, _ := s.pair(socket.Config{Streams: 10}, socket.Config{Streams: 10})
		assert.NoError(s, a.scheduler().SetStreamValue(a.id, 9, 3))
		assert.ErrorIs(s, a.scheduler().SetStreamValue(a.id, 10, 3), socket.ErrStream)
		assert.ErrorIs(s, a.scheduler().SetStreamValue(a.id+1000, 0, 3), socket.ErrAssoc)
	}},
}

func (a *assoc) scheduler() socket.StreamScheduler {
	a.e.s.Helper()
	sch, ok := a.e.Socket.(socket.StreamScheduler)
	require.True(a.e.s, ok, "%T is a socket.StreamScheduler", a.e.Socket)
	return sch
}

// arrivals are the streams of messages in the order in which they were received.
type arrivals []socket.StreamID

// race has two streams compete, whose values are given; 0 leaves the default.
func (s *suite) race(scheduler socket.Scheduler, one, two uint16) arrivals {
	s.Helper()
	a, b := s.pair(socket.Config{Scheduler: scheduler}, socket.Config{ReceiveBuffer: window})
	for stream, value := range []uint16{1: one, 2: two} {
		if value != 0 {
			require.NoError(s, a.scheduler().SetStreamValue(a.id, socket.StreamID(stream), value))
		}
	}
	sent := append(series(1, backlog, backlogSize), series(2, backlog, backlogSize)...)
	a.mustSend(copies(sent)...)
	b.untilReceived(len(sent))
	b.requireReceived(sent)
	var order arrivals
	for _, m := range b.messages {
		order = append(order, m.Stream)
	}
	return order
}

// left returns how many messages of loser were still to come when winner had all.
func (o arrivals) left(winner, loser socket.StreamID) int {
	won, lost := 0, 0
	for _, stream := range o {
		switch stream {
		case winner:
			won++
		case loser:
			lost++
		}
		if won == backlog {
			break
		}
	}
	return backlog - lost
}
