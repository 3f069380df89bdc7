package endpoint

// list is a queue of associations, each in it once.
type list struct{ head, tail *link }

// link is an association's place in a list.
type link struct {
	entry *entry
	next  *link
	in    bool
}

func (l *list) empty() bool { return l.head == nil }

// add puts an association at the end unless it is in the list.
func (l *list) add(k *link) {
	if k.in {
		return
	}
	k.in = true
	if l.head == nil {
		l.head = k
	} else {
		l.tail.next = k
	}
	l.tail = k
}

// pop takes the first out.
func (l *list) pop() *entry {
	k := l.head
	l.head, k.next, k.in = k.next, nil, false
	return k.entry
}

// remove takes an association out, and does nothing if it is not in the list. It takes time
// for each in it.
func (l *list) remove(k *link) {
	if !k.in {
		return
	}
	at, before := &l.head, (*link)(nil)
	for *at != k {
		before = *at
		at = &before.next
	}
	*at = k.next
	if l.tail == k {
		l.tail = before
	}
	k.next, k.in = nil, false
}
