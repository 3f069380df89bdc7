package pertrc

// idleList lists idle connections in the order in which they became so. It is
// linked through them, so that nothing is allocated.
type idleList[C any] struct{ first, last *idleLink[C] }

// idleLink is a connection's place in such a list.
type idleLink[C any] struct {
	conn       *C // nil while it is in none
	prev, next *idleLink[C]
}

func (l *idleList[C]) oldest() *C {
	if l.first == nil {
		return nil
	}
	return l.first.conn
}

func (l *idleList[C]) push(at *idleLink[C], conn *C) {
	if at.conn != nil {
		return
	}
	at.conn, at.prev = conn, l.last
	if l.last == nil {
		l.first = at
	} else {
		l.last.next = at
	}
	l.last = at
}

func (l *idleList[C]) remove(at *idleLink[C]) {
	if at.conn == nil {
		return
	}
	if at.prev == nil {
		l.first = at.next
	} else {
		at.prev.next = at.next
	}
	if at.next == nil {
		l.last = at.prev
	} else {
		at.next.prev = at.prev
	}
	*at = idleLink[C]{}
}
