package rx

import "sync"

// pool keeps fragments and messages for reuse, so that receiving does not allocate:
// a few of each for a Reassembly, and more in common for all.
type pool struct {
	fragments *fragment
	n         int // of fragments
	messages  []*message
}

// kept is how many a Reassembly keeps for itself of either, which take 10 KiB, or
// 18 KiB if the messages had many fragments.
const kept = 64

// The spare ones are those that a Reassembly does not keep. What nobody uses the
// garbage collector takes, so that a burst does not hold memory for ever.
var (
	spareFragments = sync.Pool{New: func() any { return new(fragment) }}
	spareMessages  = sync.Pool{New: func() any { return new(message) }}
)

func (p *pool) fragment() *fragment {
	f := p.fragments
	if f == nil {
		return spareFragments.Get().(*fragment)
	}
	p.fragments, f.next = f.next, nil
	p.n--
	return f
}

func (p *pool) putFragment(f *fragment) {
	if p.n == kept {
		*f = fragment{}
		spareFragments.Put(f)
		return
	}
	*f = fragment{next: p.fragments}
	p.fragments = f
	p.n++
}

func (p *pool) message() *message {
	n := len(p.messages)
	if n == 0 {
		return spareMessages.Get().(*message)
	}
	m := p.messages[n-1]
	p.messages = p.messages[:n-1]
	return m
}

// putMessage takes back a message that holds nothing.
func (p *pool) putMessage(m *message) {
	*m = message{later: m.later[:0]}
	if len(p.messages) == kept {
		spareMessages.Put(m)
		return
	}
	p.messages = append(p.messages, m)
}
