package assoc

import "github.com/sctpmpi/sctpmpi/sctprpi/socket"

// notices is a queue of events that are not data: a few for each turn in an
// association's life, and one for each message lent, which may be many at once. Its
// memory is shared among associations.
type notices struct {
	first, last *notice
	read, write int // in first and in last
}

// notice is a piece of the queue.
type notice struct {
	events [16]socket.Event
	next   *notice
}

func (q *notices) empty() bool { return q.first == nil }

func (q *notices) push(pool *noticePool, e socket.Event) {
	switch {
	case q.first == nil:
		q.first = pool.get()
		q.last, q.read, q.write = q.first, 0, 0
	case q.write == len(q.last.events):
		q.last.next = pool.get()
		q.last, q.write = q.last.next, 0
	}
	q.last.events[q.write] = e
	q.write++
}

func (q *notices) pop(pool *noticePool, e *socket.Event) {
	n := q.first
	*e, n.events[q.read] = n.events[q.read], socket.Event{}
	q.read++
	switch {
	case n == q.last && q.read == q.write:
		q.first, q.last = nil, nil
		pool.put(n)
	case q.read == len(n.events):
		q.first, q.read = n.next, 0
		pool.put(n)
	}
}

// noticePool keeps pieces for reuse.
type noticePool struct {
	free *notice
	n    int
}

// keptNotices bounds them, to about a megabyte.
const keptNotices = 512

func (p *noticePool) get() *notice {
	n := p.free
	if n == nil {
		return new(notice)
	}
	p.free, n.next = n.next, nil
	p.n--
	return n
}

func (p *noticePool) put(n *notice) {
	if p.n < keptNotices {
		n.next, p.free = p.free, n
		p.n++
	}
}
