package matching

// Message is a message that has arrived, or has been announced. It belongs to
// the caller, and may be used again when a receive or Take has got it.
type Message struct {
	Envelope
	Source Rank
	// Body and Owner are the caller's.
	Body  []byte
	Owner any

	order    uint64 // of arrival
	trc, tag *queue // of its TRC, and of its tag from any source
	held     bool   // in context.held, not in the list of ready messages
	links    [lists]messageLinks
}

// Unexpected reports whether the message has arrived and no receive has taken it.
func (m *Message) Unexpected() bool { return m.trc != nil }

// list names one of the four lists that an unexpected message is in.
type list uint8

const (
	byTRC     list = iota // those of its TRC, as they arrived
	byTag                 // those of its tag from any source, as they arrived
	bySource              // those of its source, by sequence number; each range has its own
	byContext             // held: as they arrived; ready: as they became so
	lists
)

type messageLinks struct{ prev, next *Message }

// messageList is a list of messages, linked through one of their links.
type messageList struct{ head, tail *Message }

func (l *messageList) push(m *Message, by list) {
	m.links[by].prev = l.tail
	if l.tail == nil {
		l.head = m
	} else {
		l.tail.links[by].next = m
	}
	l.tail = m
}

func (l *messageList) pushFront(m *Message, by list) {
	m.links[by].next = l.head
	if l.head == nil {
		l.tail = m
	} else {
		l.head.links[by].prev = m
	}
	l.head = m
}

func (l *messageList) remove(m *Message, by list) {
	k := &m.links[by]
	if k.prev == nil {
		l.head = k.next
	} else {
		k.prev.links[by].next = k.next
	}
	if k.next == nil {
		l.tail = k.prev
	} else {
		k.next.links[by].prev = k.prev
	}
	*k = messageLinks{}
}

// append moves the messages of other behind those of l.
func (l *messageList) append(other messageList, by list) {
	switch {
	case other.head == nil:
	case l.head == nil:
		*l = other
	default:
		l.tail.links[by].next, other.head.links[by].prev = other.head, l.tail
		l.tail = other.tail
	}
}

// after returns the message behind m, the first one if m is nil.
func (l *messageList) after(m *Message, by list) *Message {
	if m == nil {
		return l.head
	}
	return m.links[by].next
}
