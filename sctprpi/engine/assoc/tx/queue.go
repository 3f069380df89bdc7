package tx

import "time"

// sendQueue holds what has not been sent: messages in their streams, and the
// streams in a schedule. A stream leaves the schedule when it has nothing to
// send or is paused.
type sendQueue struct {
	streams      streamTable
	schedule     schedule
	interleaving bool
	// current has a message partly sent that must be finished before any
	// other is begun, since DATA chunks cannot be interleaved.
	current  *stream
	arrivals uint64
	queued   int
}

func newSendQueue(streams int, kind Scheduler, interleaving bool) sendQueue {
	return sendQueue{
		streams:      newStreamTable(streams),
		schedule:     schedule{kind: kind},
		interleaving: interleaving,
	}
}

func (q *sendQueue) push(m *message) {
	q.arrivals++
	m.arrival = q.arrivals
	q.queued += m.rest()
	s := q.streams.use(m.Stream)
	m.stream = s
	s.push(m)
	if s.slot < 0 && s.ready() {
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
		if s == nil || !s.head.expired(now) {
			return s
		}
		m := s.pop()
		q.queued -= m.rest()
		q.replace(s)
		drop(m)
	}
}

// replace gives a stream its place after its oldest message has changed.
func (q *sendQueue) replace(s *stream) {
	if s.ready() {
		q.schedule.add(s)
	} else {
		q.schedule.remove(s)
	}
}

// cut books n bytes of the oldest message of s, which peek returned, as sent.
func (q *sendQueue) cut(s *stream, n int) {
	m := s.head
	m.at = m.at.skip(m.Data, n)
	m.cut += n
	m.fsn++
	s.queued -= n
	s.outstanding += n
	q.queued -= n
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

// pause keeps a stream from beginning another message until resume.
func (q *sendQueue) pause(s *stream) {
	s.paused = true
	if !s.ready() {
		q.schedule.remove(s)
	}
}

func (q *sendQueue) resume(s *stream) {
	s.paused = false
	if s.slot < 0 && s.ready() {
		q.schedule.add(s)
	}
}

// clear takes everything out, stream by stream, and gives it to drop.
func (q *sendQueue) clear(drop func(*message)) {
	for s := range q.streams.used() {
		for s.head != nil {
			m := s.pop()
			q.queued -= m.rest()
			drop(m)
		}
		q.schedule.remove(s)
	}
	q.current = nil
}
