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

// releases is a queue of them; there are never more than there were messages.
type releases struct {
	items []Release
	head  int
}

func (q *releases) push(r Release) {
	if len(q.items) == cap(q.items) && 2*q.head >= len(q.items) {
		q.items, q.head = q.items[:copy(q.items, q.items[q.head:])], 0
	}
	q.items = append(q.items, r)
}

func (q *releases) pop() (Release, bool) {
	if q.head == len(q.items) {
		return Release{}, false
	}
	r := q.items[q.head]
	q.items[q.head] = Release{}
	q.head++
	if q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
	return r, true
}
