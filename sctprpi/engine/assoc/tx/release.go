package tx

// Outcome says how a message ended.
type Outcome uint8

const (
	// Acknowledged: the peer has all of the message.
	Acknowledged Outcome = iota
	// Expired: its lifetime ran out before any of it was sent.
	Expired
	// Unsent: the sender was closed before any of it was sent.
	Unsent
	// Unacknowledged: the sender was closed when some of it had been sent; the
	// peer may or may not have it.
	Unacknowledged
)

// Release gives a message back to its owner.
type Release struct {
	Owner   any
	Outcome Outcome
}

// releases is a queue of messages that are done with.
type releases struct{ head, tail *message }

func (q *releases) push(m *message) {
	if q.head == nil {
		q.head = m
	} else {
		q.tail.next = m
	}
	q.tail = m
}

func (q *releases) pop() *message {
	m := q.head
	if m == nil {
		return nil
	}
	q.head, m.next = m.next, nil
	if q.head == nil {
		q.tail = nil
	}
	return m
}
