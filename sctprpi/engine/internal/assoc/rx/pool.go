package rx

import (
	"sync"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/freelist"
)

// pool keeps fragments and messages for reuse, so that receiving does not allocate:
// a few of each for a Reassembly, and more in common for all.
type pool struct {
	fragments freelist.List[fragment]
	messages  freelist.List[message]
}

// kept is how many a Reassembly keeps for itself of either, which take 11 KiB, or
// 19 KiB if the messages had many fragments.
const kept = 64

// The spare ones are those that a Reassembly does not keep. What is not used the
// garbage collector takes, so that a burst does not hold memory for ever.
var (
	spareFragments = sync.Pool{New: func() any { return new(fragment) }}
	spareMessages  = sync.Pool{New: func() any { return new(message) }}
)

func (p *pool) fragment() *fragment {
	if f := p.fragments.Get(); f != nil {
		return f
	}
	return spareFragments.Get().(*fragment)
}

func (p *pool) putFragment(f *fragment) {
	*f = fragment{}
	if !p.fragments.Put(f, kept) {
		spareFragments.Put(f)
	}
}

func (p *pool) message() *message {
	if m := p.messages.Get(); m != nil {
		return m
	}
	return spareMessages.Get().(*message)
}

// putMessage takes back a message that holds nothing.
func (p *pool) putMessage(m *message) {
	*m = message{later: m.later[:0]}
	if !p.messages.Put(m, kept) {
		spareMessages.Put(m)
	}
}
