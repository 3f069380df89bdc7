// Package list has queues whose elements carry their links, so that nothing is allocated.
package list

import "iter"

// List is a queue of elements, each of which has a Link for it. The zero List is empty. It
// is not safe for concurrent use.
type List[T any] struct{ head, tail *Link[T] }

// Link is the place of an element in a List: a field of the element. The zero Link is in
// none.
type Link[T any] struct {
	of         *T // the element, nil when it is in no list
	prev, next *Link[T]
}

// In reports whether the element is in a list by this link.
func (k *Link[T]) In() bool { return k.of != nil }

// Empty reports whether the list has no elements.
func (l *List[T]) Empty() bool { return l.head == nil }

// First returns the first element, nil if there is none.
func (l *List[T]) First() *T {
	if l.head == nil {
		return nil
	}
	return l.head.of
}

// Last returns the last element, nil if there is none.
func (l *List[T]) Last() *T {
	if l.tail == nil {
		return nil
	}
	return l.tail.of
}

// Push adds v, of which k is a field, at the end. It does nothing if k is in a list.
func (l *List[T]) Push(v *T, k *Link[T]) {
	if k.of != nil {
		return
	}
	k.of, k.prev = v, l.tail
	if l.tail == nil {
		l.head = k
	} else {
		l.tail.next = k
	}
	l.tail = k
}

// PushFirst adds v, of which k is a field, at the beginning. It does nothing if k is in a list.
func (l *List[T]) PushFirst(v *T, k *Link[T]) {
	if k.of != nil {
		return
	}
	k.of, k.next = v, l.head
	if l.head == nil {
		l.tail = k
	} else {
		l.head.prev = k
	}
	l.head = k
}

// Pop takes the first element out and returns it, nil if there is none.
func (l *List[T]) Pop() *T {
	k := l.head
	if k == nil {
		return nil
	}
	v := k.of
	l.Remove(k)
	return v
}

// Remove takes the element of a link out, which must be in this list or in none.
func (l *List[T]) Remove(k *Link[T]) {
	if k.of == nil {
		return
	}
	if k.prev == nil {
		l.head = k.next
	} else {
		k.prev.next = k.next
	}
	if k.next == nil {
		l.tail = k.prev
	} else {
		k.next.prev = k.prev
	}
	*k = Link[T]{}
}

// Append moves all elements of another list to the end.
func (l *List[T]) Append(other *List[T]) {
	switch {
	case other.head == nil:
		return
	case l.head == nil:
		l.head = other.head
	default:
		l.tail.next, other.head.prev = other.head, l.tail
	}
	l.tail = other.tail
	*other = List[T]{}
}

// All walks the elements. The list must not be changed meanwhile.
func (l *List[T]) All() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for k := l.head; k != nil && yield(k.of); k = k.next {
		}
	}
}
