package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// sendQueue holds what has not been sent: messages in their streams, and the
// streams in a schedule. A stream leaves the schedule when it has nothing to
// send or waits for the peer to read.
type sendQueue struct {
	streams      streamTable
	schedule     schedule
	credits      credits
	interleaving bool
	// current has a message partly sent that must be finished before any
	// other is begun, since DATA chunks cannot be interleaved.
	current  *stream
	arrivals uint64
	queued   int
}

func newSendQueue(c *Config) sendQueue {
	q := sendQueue{
		schedule:     schedule{kind: c.Scheduler},
		credits:      newCredits(c.StreamLimit, c.Interleaving, c.SendBuffer),
		interleaving: c.Interleaving,
	}
	q.streams.Extend(c.Streams)
	return q
}

func (q *sendQueue) push(id socket.StreamID, m *message) {
	q.arrivals++
	m.arrival = q.arrivals
	q.queued += m.rest()
	s := q.streams.use(id)
	m.stream = s
	if q.credits.limit > 0 && s.credit == nil {
		s.credit = &credit{slot: -1, pooled: pooled{place: -1}}
	}
	s.push(m)
	q.enter(s)
}

// ready reports whether a stream may send.
func (q *sendQueue) ready(s *stream) bool { return !s.unsent.Empty() && !q.credits.blocks(s) }

// enter puts a stream in the schedule that may send and is not in.
func (q *sendQueue) enter(s *stream) {
	if s.slot < 0 && q.ready(s) {
		q.schedule.add(s)
	}
}

// peek returns the stream whose oldest message is next, nil when there is none.
// Messages that it finds expired it takes out and gives to drop.
func (q *sendQueue) peek(now time.Duration, drop func(*message)) *stream {
	if q.current != nil {
		return q.current
	}
	for {
		s := q.schedule.best()
		if s == nil || !s.head().expired(now) {
			return s
		}
		q.dropExpired(now, s, drop)
		if s.unsent.Empty() {
			q.schedule.remove(s)
		} else {
			q.schedule.add(s)
		}
	}
}

// dropExpired takes a stream's oldest messages out that have expired.
func (q *sendQueue) dropExpired(now time.Duration, s *stream, drop func(*message)) {
	for !s.unsent.Empty() && s.head().expired(now) {
		m := s.pop()
		q.queued -= m.rest()
		drop(m)
	}
}

// replace gives a stream its place after its oldest message has changed.
func (q *sendQueue) replace(s *stream) {
	if q.ready(s) {
		q.schedule.add(s)
	} else {
		q.schedule.remove(s)
	}
}

// cut books n bytes of the oldest message of s, which peek returned, as sent.
func (q *sendQueue) cut(s *stream, n int) {
	m := s.head()
	m.at = m.at.skip(m.data, n)
	m.cut += n
	m.fsn++
	s.sent(m, n)
	q.queued -= n
	if s.credit != nil {
		s.credit.sent += wire.StreamCharge(n)
		q.credits.account(s, false)
	}
	q.schedule.serve(s, n)
	done := m.rest() == 0
	if done {
		s.pop()
	}
	switch {
	case done:
		q.current = nil
		q.replace(s)
	case q.interleaving:
		q.replace(s)
	default:
		q.current = s
	}
}

// clear takes everything out, stream by stream, and gives it to drop.
func (q *sendQueue) clear(drop func(*message)) {
	for s := range q.streams.Used() {
		for !s.unsent.Empty() {
			m := s.pop()
			q.queued -= m.rest()
			drop(m)
		}
		q.schedule.remove(s)
		if s.credit != nil {
			s.credit.refused = false
			q.credits.forget(s)
			q.credits.book(s)
			q.credits.asking.Remove(&s.credit.asking)
			if q.credits.shared() {
				q.credits.holders.Remove(&s.credit.holding)
			}
		}
	}
	q.current = nil
}
