package tx

import "sync"

// messagePool keeps messages for reuse, so that a Sender in its steady state does
// not allocate: a few of its own, and more in common with all others.
type messagePool struct {
	free *message
	n    int
}

// keptMessages is how many a Sender keeps for itself, of 160 bytes each.
const keptMessages = 64

// spareMessages has what a Sender does not keep. What nobody uses the garbage
// collector takes, so that a burst does not hold memory for ever.
var spareMessages = sync.Pool{New: func() any { return new(message) }}

func (p *messagePool) get() *message {
	m := p.free
	if m == nil {
		return spareMessages.Get().(*message)
	}
	p.free, m.next = m.next, nil
	p.n--
	return m
}

func (p *messagePool) put(m *message) {
	if p.n == keptMessages {
		*m = message{}
		spareMessages.Put(m)
		return
	}
	*m = message{next: p.free}
	p.free = m
	p.n++
}
