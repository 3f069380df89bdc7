package matching

// receiveList is a FIFO of posted receives, linked through Receive.
type receiveList struct{ head, tail *Receive }

func (l *receiveList) push(r *Receive) {
	r.prev, r.next = l.tail, nil
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

// An unexpected message is in four lists at once; order names the link that
// each uses.
type order uint8

const (
	ofTRC    order = iota // messages of its (context, source, tag), by sequence number
	ofTag                 // of its (context, tag), by arrival
	ofSource              // of its (context, source), by sequence number, per run
	ofState               // of its context, by arrival: held ones; by readiness: ready ones
	orders
)

// messageLinks are a message's neighbours in one list.
type messageLinks struct{ prev, next *Message }

// messageList is a list of unexpected messages linked through Message.links.
type messageList struct{ head, tail *Message }

func (l *messageList) push(o order, m *Message) {
	m.links[o] = messageLinks{prev: l.tail}
	if l.tail == nil {
		l.head = m
	} else {
		l.tail.links[o].next = m
	}
	l.tail = m
}

func (l *messageList) pushFront(o order, m *Message) {
	m.links[o] = messageLinks{next: l.head}
	if l.head == nil {
		l.tail = m
	} else {
		l.head.links[o].prev = m
	}
	l.head = m
}

func (l *messageList) remove(o order, m *Message) {
	k := m.links[o]
	if k.prev == nil {
		l.head = k.next
	} else {
		k.prev.links[o].next = k.next
	}
	if k.next == nil {
		l.tail = k.prev
	} else {
		k.next.links[o].prev = k.prev
	}
	m.links[o] = messageLinks{}
}

// concat moves all of tail behind l.
func (l *messageList) concat(o order, tail *messageList) {
	switch {
	case tail.head == nil:
	case l.head == nil:
		*l = *tail
	default:
		l.tail.links[o].next, tail.head.links[o].prev = tail.head, l.tail
		l.tail = tail.tail
	}
	*tail = messageList{}
}
