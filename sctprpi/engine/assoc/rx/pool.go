package rx

// pool keeps fragments and messages for reuse: as many as were ever held at once.
type pool struct {
	fragments *fragment
	messages  []*message
}

func (p *pool) fragment() *fragment {
	f := p.fragments
	if f == nil {
		return new(fragment)
	}
	p.fragments, f.next = f.next, nil
	return f
}

func (p *pool) putFragment(f *fragment) {
	*f = fragment{next: p.fragments}
	p.fragments = f
}

func (p *pool) message() *message {
	n := len(p.messages)
	if n == 0 {
		return new(message)
	}
	m := p.messages[n-1]
	p.messages = p.messages[:n-1]
	return m
}

// putMessage takes back a message that holds nothing.
func (p *pool) putMessage(m *message) {
	*m = message{later: m.later[:0]}
	p.messages = append(p.messages, m)
}
