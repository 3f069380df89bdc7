package matching

// Receive is a receive. It belongs to the caller, and may be used again when it
// has a message, from Post or returned by Next, or has been cancelled.
type Receive struct {
	Context Context
	Source  Rank // or AnySource
	Tag     Tag  // or AnyTag
	// Owner is the caller's.
	Owner any
	// Message is what the receive got.
	Message *Message

	state receiveState
	queue *queue // where it is posted
	order uint64 // of posting
	// behind, of an any-tag receive, is how many receives with a concrete tag
	// had been posted in the context before it. Two any-tag receives with the
	// same value have none between them: then the first blocks none when it
	// leaves.
	behind     uint64
	prev, next *Receive
}

type receiveState uint8

const (
	idle    receiveState = iota // the caller's
	posted                      // in a queue
	matched                     // to be returned by Next
)

// first returns the receive that was posted first of a and b, which may be
// nil.
func first(a, b *Receive) *Receive {
	if a == nil || b != nil && b.order < a.order {
		return b
	}
	return a
}

// receiveList is a list of receives, linked through them.
type receiveList struct{ head, tail *Receive }

func (l *receiveList) push(r *Receive) {
	r.prev = l.tail
	if l.tail == nil {
		l.head = r
	} else {
		l.tail.next = r
	}
	l.tail = r
}

func (l *receiveList) remove(r *Receive) {
	if r.prev == nil {
		l.head = r.next
	} else {
		r.prev.next = r.next
	}
	if r.next == nil {
		l.tail = r.prev
	} else {
		r.next.prev = r.prev
	}
	r.prev, r.next = nil, nil
}
