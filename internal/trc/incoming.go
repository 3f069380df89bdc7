package trc

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Incoming is a channel of a TRC from a peer. On it come messages, one after the other: an envelope, and the body.
type Incoming struct {
	Peer *Peer
	Key  Key
	// Channel is the carrier's.
	Channel any
	// Unnamed: the first message says which TRC it is, and makes the channel its last one, as Add does. Set it before the
	// channel is in use; later see Vacate.
	Unnamed bool
	// Behind: it was named while the TRC has another channel. The first message waits until End returns this one: then call
	// Advance with 0 bytes.
	Behind  bool
	vacated bool
	beside  Link[Incoming] // the first channels of all TRCs in its context
	// Drained: it ends because another TRC may use it. The TRC goes on, perhaps on another one.
	Drained bool
	// Demanded: its message was sent because an operation waited for it, and no other has taken that channel since.
	Demanded bool
	// Messages counts those that have begun to arrive.
	Messages uint64
	// Successor is the TRC's next channel, to be read when this one has ended.
	Successor *Incoming

	header [header.Size]byte
	have   int // bytes of header
	// head is the message whose body comes next, nil while its envelope does.
	head *message
	// place and drop are where that body goes, once it is wanted: so many
	// bytes to the one, and then so many to nowhere.
	wanted bool
	place  []byte
	drop   uint64
	// begun: there has been a message; last is its sequence number.
	begun bool
	last  matching.Seq
	// postponed: the head is not in the matching engine yet.
	postponed bool
	clearing  Link[Incoming] // see Clear
	tried     bool           // an operation that waits for the next message has had it looked for
}

// message is a message at its receiver.
type message struct {
	matching.Message // Body: what has been taken out of the channel

	sync     bool         // its sender waits for an answer
	sendID   uint32       // the name of its send
	channel  *Incoming    // which has the body, or the rest of it
	receiver *rpi.Request // that waits for the body
	lost     bool         // the rest will never come
	unwanted bool         // no receive will take it
	refused  bool         // and its sender has been told so
	aside    bool         // see Layer.Clear
	next     *message     // free list
}

// Add makes c the last channel of its TRC. It reports whether it is the first, to be read now.
func (l *Layer) Add(c *Incoming) (first bool) {
	p := c.Peer
	if p.In == nil {
		p.In = make(map[Key]*Incoming)
	}
	last := p.In[c.Key]
	if last == nil {
		l.setIn(p, c.Key, c)
		return true
	}
	for last.Successor != nil {
		last = last.Successor
	}
	last.Successor = c
	return false
}

// End takes out a channel on which nothing more comes, and ends what depended on the rest of it. The next channel of
// the TRC, if there is one and c was the first, takes its place and is returned, to be read.
func (l *Layer) End(c *Incoming) (next *Incoming) {
	if m := c.head; m != nil {
		if l.recall(c) {
			m.unwanted = true
			l.dropBehind(c.Peer, m.Context, m.Seq)
		}
		c.head = nil
		l.lose(m)
	}
	l.uncork(c)
	l.Cleared(c)
	p := c.Peer
	if first := p.In[c.Key]; first != c {
		for first.Successor != c {
			first = first.Successor
		}
		first.Successor = c.Successor
		return nil
	}
	if next = c.Successor; next == nil {
		l.setIn(p, c.Key, nil)
		if !c.Drained {
			p.dropRetractions(c.Key)
		}
		return nil
	}
	l.setIn(p, c.Key, next)
	next.Behind = false
	if !next.begun {
		next.begun, next.last = c.begun, c.last
	}
	return next
}

// Hungry reports whether something is to be read: an envelope, or a body that is wanted.
func (c *Incoming) Hungry() bool { return c.head == nil || c.wanted }

// Idle reports whether the channel is between two messages.
func (c *Incoming) Idle() bool { return c.head == nil && c.have == 0 }

// Unread returns how many bytes of the body of the message at the head no receive has asked for. ok is false if
// there is no such message.
func (c *Incoming) Unread() (n uint64, ok bool) {
	if c.Hungry() {
		return 0, false
	}
	return c.head.Length, true
}

// Places returns where the next bytes go, in order: to place, so many to nowhere, and to the envelope of the next
// message.
func (c *Incoming) Places() (place []byte, drop uint64, header []byte) {
	return c.place, c.drop, c.header[c.have:]
}

// Advance notes that n bytes more are in their places.
func (l *Layer) Advance(c *Incoming, n int) error {
	if c.head != nil {
		k := min(n, len(c.place))
		c.place = c.place[k:]
		n -= k
		skip := min(uint64(n), c.drop)
		c.drop -= skip
		n -= int(skip)
		if len(c.place) > 0 || c.drop > 0 {
			return nil
		}
		l.landed(c)
	}
	if c.have += n; c.have < len(c.header) {
		return nil
	}
	c.have = 0
	return l.arrived(c)
}

// arrived takes the envelope of a message.
func (l *Layer) arrived(c *Incoming) error {
	var h header.Header
	if err := header.Parse(&h, c.header[:]); err != nil {
		return Violation("%v", err)
	}
	if c.Unnamed {
		k := keyOf(&h)
		if !l.Valid(k) || !c.vacated && c.Peer.In[k] != nil {
			return Violation("its next channel is for %v", k)
		}
		l.Name(c, k)
	}
	if c.Behind {
		c.have = len(c.header)
		return nil
	}
	if h.Kind != header.Eager || keyOf(&h) != c.Key || h.Context&apart != 0 && h.Context&rpi.InOrder == 0 {
		return Violation("a frame of kind %v for tag %d in context %#x came on the channel for %v", h.Kind, h.Tag, uint64(h.Context), c.Key)
	}
	if c.begun && h.Seq <= c.last {
		return Violation("message %d came behind message %d", h.Seq, c.last)
	}
	l.Heard(c.Peer.Rank)
	c.Messages++
	h.Context &^= apart
	m := l.message(c.Peer.Rank, &h)
	m.channel = c
	c.head, c.wanted, c.begun, c.last, c.tried = m, false, true, h.Seq, false
	if !c.Peer.wanted(c.Key, h.Seq) {
		l.discard(m)
		return nil
	}
	if err := l.arrive(c); err != nil {
		return err
	}
	l.came(c.Peer, h.Context, h.Tag)
	return l.resume(c.Peer, h.Context)
}

// landed notes that the body of the head is where it was to go.
func (l *Layer) landed(c *Incoming) {
	m := c.head
	c.head, c.wanted, c.place = nil, false, nil
	m.channel = nil
	switch r := m.receiver; {
	case m.unwanted:
		l.freeMessage(m)
	case r == nil: // stashed
	case m.Body != nil:
		l.deliver(r, m)
	default:
		err := r.Misfit(&m.Envelope)
		l.freeMessage(m)
		l.Finish(r, err)
	}
}

// deliver gives a message that the process holds to r.
func (l *Layer) deliver(r *rpi.Request, m *message) {
	err := r.Misfit(&m.Envelope)
	if err == nil {
		copy(r.Buf, m.Body)
	}
	l.freeMessage(m)
	l.Finish(r, err)
}

// take has the body of a channel's head go where it is wanted: to the buffer of its receive, or nowhere.
func (l *Layer) take(c *Incoming) {
	m := c.head
	c.wanted, c.place, c.drop = true, nil, 0
	if r := m.receiver; r != nil && r.Misfit(&m.Envelope) == nil {
		c.place = r.Buf[:m.Length]
	} else {
		c.drop = m.Length
	}
	if m.Length == 0 {
		l.landed(c)
	}
	l.carrier.Read(c)
}

// discard drops a message that no receive will take.
func (l *Layer) discard(m *message) {
	m.unwanted = true
	switch {
	case m.channel == nil:
		l.freeMessage(m)
	case m.Body == nil: // else it is being taken out, and dropped then
		l.take(m.channel)
	}
}

// StartClosing drops the messages at the heads of their channels that no receive has taken, and all that come.
func (l *Layer) StartClosing() {
	l.closing = true
	for i := range l.peers {
		for _, c := range l.peers[i].In {
			l.dropHead(c)
		}
	}
}

func (l *Layer) dropHead(c *Incoming) {
	m := c.head
	if m == nil || c.wanted || m.refused {
		return
	}
	l.uncork(c)
	if l.recall(c) || l.Match.Take(&m.Message) {
		l.Lost.Add(&m.Message)
	}
	l.discard(m)
}

// lose ends a message whose rest will never come.
func (l *Layer) lose(m *message) {
	m.channel = nil
	switch r := m.receiver; {
	case r != nil:
		err := l.gone(r, m.Source)
		l.freeMessage(m)
		l.Finish(r, err)
	case m.unwanted:
		l.freeMessage(m)
	case l.Match.Take(&m.Message):
		l.dropBehind(&l.peers[m.Source], m.Context, m.Seq)
		l.freeMessage(m)
	default:
		m.lost = true // a matched probe has it
	}
}

func (l *Layer) message(from matching.Rank, h *header.Header) *message {
	m := l.messages
	if m == nil {
		m = new(message)
	} else {
		l.messages = m.next
	}
	*m = message{}
	m.Owner = m
	m.Envelope, m.Source, m.sync, m.sendID = h.Envelope(), from, h.Sync, h.SendID
	return m
}

func (l *Layer) freeMessage(m *message) {
	l.Return(m.Body)
	if m.aside {
		l.aside--
	}
	*m = message{next: l.messages}
	l.messages = m
}
