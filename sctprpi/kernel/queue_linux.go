package kernel

import "github.com/sctpmpi/sctpmpi/sctprpi/socket"

// entry is an event and the association that it is of.
type entry struct {
	socket.Event
	a *association
}

// queue holds events until they are received.
type queue struct {
	entries []entry
	head    int
}

func (q *queue) empty() bool { return q.head == len(q.entries) }

func (q *queue) push(n entry) {
	if q.head > 0 && len(q.entries) == cap(q.entries) { // make room in front
		n := copy(q.entries, q.entries[q.head:])
		clear(q.entries[n:])
		q.entries, q.head = q.entries[:n], 0
	}
	if n.Kind == socket.Data {
		n.a.held += len(n.Payload)
	}
	q.entries = append(q.entries, n)
}

// pop takes the first event out.
func (q *queue) pop() (socket.Event, *association) {
	n := q.entries[q.head]
	q.entries[q.head] = entry{}
	if q.head++; q.empty() {
		q.entries, q.head = q.entries[:0], 0
	}
	switch n.Kind {
	case socket.Data:
		n.a.held -= len(n.Payload)
		n.a.received += uint64(len(n.Payload))
	case socket.Released:
		n.a.releases--
	}
	return n.Event, n.a
}

// drop gives back what is lent.
func (q *queue) drop() {
	for i := range q.entries {
		q.entries[i].Release()
	}
	*q = queue{}
}
