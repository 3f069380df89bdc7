package trc

// IdleList lists idle channels in the order in which they became so. It is linked through them, so that nothing is
// allocated.
type IdleList[C any] struct{ first, last *IdleLink[C] }

// IdleLink is a channel's place in such a list.
type IdleLink[C any] struct {
	channel    *C // nil while it is in none
	prev, next *IdleLink[C]
}

// Oldest returns the channel that has been idle for longest, nil if there is none.
func (l *IdleList[C]) Oldest() *C {
	if l.first == nil {
		return nil
	}
	return l.first.channel
}

// Push makes a channel the last, unless it is in the list.
func (l *IdleList[C]) Push(at *IdleLink[C], channel *C) {
	if at.channel != nil {
		return
	}
	at.channel, at.prev = channel, l.last
	if l.last == nil {
		l.first = at
	} else {
		l.last.next = at
	}
	l.last = at
}

// Remove takes a channel out, if it is in the list.
func (l *IdleList[C]) Remove(at *IdleLink[C]) {
	if at.channel == nil {
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
	*at = IdleLink[C]{}
}
