package progression

// Queue holds the frames for a peer in the order in which they are to leave.
type Queue struct{ head, tail *Frame }

// Head is the frame that is the next, nil if there is none. Frame.Next goes on from it.
func (q *Queue) Head() *Frame { return q.head }

// Empty reports whether there is no frame.
func (q *Queue) Empty() bool { return q.head == nil }

// push makes f the last.
func (q *Queue) push(f *Frame) {
	if q.tail == nil {
		q.head = f
	} else {
		q.tail.Next = f
	}
	q.tail = f
}

// Pop takes the first frame off, nil if there is none.
func (q *Queue) Pop() *Frame {
	f := q.head
	if f != nil {
		if q.head = f.Next; q.head == nil {
			q.tail = nil
		}
		f.Next = nil
	}
	return f
}

// PutBack makes f the first again.
func (q *Queue) PutBack(f *Frame) {
	if f.Next = q.head; q.tail == nil {
		q.tail = f
	}
	q.head = f
}
