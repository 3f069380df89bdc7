package trc

import "iter"

// List lists channels in the order in which they came. It is linked through them, so that nothing is allocated, and each
// is taken out in constant time.
type List[C any] struct{ first, last *Link[C] }

// Link is a channel's place in a List.
type Link[C any] struct {
	list       *List[C] // nil while it is in none
	channel    *C
	prev, next *Link[C]
}

// First returns the channel that has been there for longest, nil if there is none.
func (l *List[C]) First() *C {
	if l.first == nil {
		return nil
	}
	return l.first.channel
}

// All returns all channels, the first one first. The one that is being looked at may be taken out.
func (l *List[C]) All() iter.Seq[*C] {
	return func(yield func(*C) bool) {
		for at := l.first; at != nil; {
			next := at.next
			if !yield(at.channel) {
				return
			}
			at = next
		}
	}
}

// Push makes a channel the last, unless it is in a list.
func (l *List[C]) Push(at *Link[C], channel *C) {
	if at.Listed() {
		return
	}
	*at = Link[C]{list: l, channel: channel, prev: l.last}
	if l.last == nil {
		l.first = at
	} else {
		l.last.next = at
	}
	l.last = at
}

// Listed reports whether the channel is in a list.
func (at *Link[C]) Listed() bool { return at.list != nil }

// Remove takes the channel out of the list that it is in, if any.
func (at *Link[C]) Remove() {
	if !at.Listed() {
		return
	}
	if at.prev == nil {
		at.list.first = at.next
	} else {
		at.prev.next = at.next
	}
	if at.next == nil {
		at.list.last = at.prev
	} else {
		at.next.prev = at.prev
	}
	*at = Link[C]{}
}
