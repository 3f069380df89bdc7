package tx

import (
	"sync"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/freelist"
)

// messagePool keeps messages for reuse, so that a Sender in its steady state does
// not allocate: a few of its own, and more in common with all others.
type messagePool struct{ own freelist.List[message] }

// keptMessages is how many a Sender keeps for itself, of 160 bytes each.
const keptMessages = 64

// spareMessages has what a Sender does not keep. What is not used the garbage
// collector takes, so that a burst does not hold memory for ever.
var spareMessages = sync.Pool{New: func() any { return new(message) }}

func (p *messagePool) get() *message {
	if m := p.own.Get(); m != nil {
		return m
	}
	return spareMessages.Get().(*message)
}

func (p *messagePool) put(m *message) {
	*m = message{}
	if !p.own.Put(m, keptMessages) {
		spareMessages.Put(m)
	}
}
