package matching

// queue has what waits for one pattern: the receives posted with exactly this
// pattern, in the order of posting, and the unexpected messages that a receive
// with this pattern could take, the one that it would take first.
//
// Queues of a concrete tag exist while they are not empty, and the last one of a TRC that has become empty exists on. The queue of a source
// and any tag is part of the source, and lists only ready messages.
type queue struct {
	key      key
	chain    *queue // in its bucket, or among the spare ones
	receives receiveList
	messages messageList
	source   *source

	before, behind *queue // among those of its context
}

func (q *queue) isEmpty() bool { return q.receives.head == nil && q.messages.head == nil }

// queueList has the queues of a context, in no order.
type queueList struct{ head *queue }

func (l *queueList) add(q *queue) {
	q.before, q.behind = nil, l.head
	if l.head != nil {
		l.head.before = q
	}
	l.head = q
}

func (l *queueList) remove(q *queue) {
	if q.before == nil {
		l.head = q.behind
	} else {
		q.before.behind = q.behind
	}
	if q.behind != nil {
		q.behind.before = q.before
	}
	q.before, q.behind = nil, nil
}

// all yields every queue. The caller may remove the queue that it has got.
func (l *queueList) all(yield func(*queue) bool) {
	for q := l.head; q != nil; {
		behind := q.behind
		if !yield(q) {
			return
		}
		q = behind
	}
}
