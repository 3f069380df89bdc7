package pertrc

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/freelist"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const (
	// copyLimit is the longest message, in bytes with its envelope, that the socket copies. A longer one is a
	// zero-copy send, which costs an event when the peer has it.
	copyLimit = 8 << 10
	// batchMessages bounds what is handed to the socket in one call.
	batchMessages = 32
	// batchNotes is how many bytes of notes are sent as one message.
	batchNotes = copyLimit / trc.NoteSize * trc.NoteSize
)

// batch is what is handed to the socket in one call: perhaps notes, and then messages.
type batch struct {
	peer     *peer
	to       associations.Outlet
	n        int
	messages [batchMessages]socket.Message
	lists    [batchMessages][2][]byte
	notes    int // bytes, in the first message
	frames   [batchMessages]*trc.Frame
	outgoing [batchMessages]*outgoing
	lent     [batchMessages]*lent // of zero-copy sends
}

// lent is a message whose memory the socket has.
type lent struct {
	outgoing *outgoing
	frame    *trc.Frame
	list     [2][]byte
}

// addNotes adds notes as the first message.
func (b *batch) addNotes(notes []byte) {
	b.notes = min(len(notes), batchNotes)
	b.lists[0][0] = notes[:b.notes]
	b.messages[0] = socket.Message{Stream: associations.Control, Data: b.lists[0][:1]}
	b.n = 1
}

// add adds a message.
func (t *Transport) add(b *batch, o *outgoing, f *trc.Frame) {
	f.Started, o.last = true, f
	o.sent++
	i := b.n
	b.frames[i], b.outgoing[i] = f, o
	list := &b.lists[i]
	m := socket.Message{Stream: o.stream}
	if f.Len() > copyLimit {
		l := t.pools.lents.Take()
		l.outgoing, l.frame = o, f
		list = &l.list
		b.lent[i] = l
		o.peer.lent++
		f.Lent = true
		m.ZeroCopy, m.Owner, m.Immediate = true, l, true
	}
	*list = [2][]byte{f.Header[:], f.Body}
	if m.Data = list[:1]; len(f.Body) > 0 {
		m.Data = list[:]
	}
	b.messages[i] = m
	b.n++
}

// reset drops the references of the batch.
func (b *batch) reset() {
	clear(b.messages[:b.n])
	clear(b.lists[:b.n])
	clear(b.frames[:b.n])
	clear(b.outgoing[:b.n])
	clear(b.lent[:b.n])
	b.peer, b.n, b.notes = nil, 0, 0
}

// work does what has become necessary while the lock was held. It leaves the lock while the socket is called.
func (t *Transport) work() {
	t.more = false
	for {
		if c := t.nextWanted(); c != nil {
			t.goOn(c)
			continue
		}
		b := t.nextBatch()
		if b == nil {
			return
		}
		t.lock.Leave()
		n, err := t.Send(b.to, b.messages[:b.n])
		t.lock.Enter()
		t.handed(b, n, err)
	}
}

// nextBatch takes a batch for a peer off the queues, nil if there is none. While a goroutine hands over a batch
// no other takes one for the same peer: that goroutine looks at the queues again.
func (t *Transport) nextBatch() *batch {
	for len(t.active) > 0 {
		last := len(t.active) - 1
		p := t.active[last]
		t.active, p.active = t.active[:last], false
		if !t.Need(p.Peer, p.queued()) {
			t.drop(p)
			continue
		}
		if p.Open() && p.Free() {
			b := t.pools.batches.Take()
			if t.gather(p, b); b.n > 0 {
				b.peer, b.to = p, p.Outlet()
				p.Begin()
				return b
			}
			t.pools.batches.Put(b, kept)
		}
		if !p.queued() {
			t.Flushed()
		}
	}
	return nil
}

// queued reports whether there is something that the socket does not have yet.
func (p *peer) queued() bool {
	return len(p.notes) > 0 || p.ready.First() != nil || p.full.First() != nil || p.short() || p.Sending()
}

// gather takes what is to be handed over next off the queues: notes, then a message of each stream in turn.
func (t *Transport) gather(p *peer, b *batch) {
	if len(p.notes) > 0 && !p.notesFull {
		b.addNotes(p.notes)
	}
	for b.n < batchMessages && p.ready.First() != nil {
		o := p.ready.First()
		o.turn.Remove()
		if !t.assign(o) {
			continue
		}
		t.add(b, o, o.fresh())
		if o.fresh() != nil && !o.demanded {
			p.ready.Push(&o.turn, o)
		}
	}
	t.tell(p)
	if len(p.notes) > 0 && b.n == 0 && !p.notesFull { // asked for streams
		b.addNotes(p.notes)
	}
}

// handed handles the result of Send: the socket has taken n messages of a batch, and err says why not all.
func (t *Transport) handed(b *batch, n int, err error) {
	p := b.peer
	resumed, full := p.Resumed(), errors.Is(err, socket.ErrStreamFull)
	if full {
		p.End(false)
	} else {
		p.EndBy(err, socket.ErrWouldBlock) // after another error the event that ends the association follows
	}
	if b.notes > 0 && n > 0 {
		p.notes = p.notes[:copy(p.notes, p.notes[b.notes:])]
	}
	for i := range n {
		if b.frames[i] != nil && b.lent[i] == nil {
			t.done(b.outgoing[i], b.frames[i])
		}
	}
	switch {
	case errors.Is(err, socket.ErrShutdown): // we have taken leave
		p.trcs.Parted, p.notes = true, nil
	case full && n == 0 && b.notes > 0:
		p.notesFull = !resumed
	}
	for i := b.n - 1; i >= n; i-- {
		if b.frames[i] != nil {
			t.undo(b, i, full && i == n && !resumed)
		}
	}
	b.reset()
	t.pools.batches.Put(b, kept)
	t.activate(p)
}

// undo puts a message of a batch back that the socket has not taken. full: because its stream is.
func (t *Transport) undo(b *batch, i int, full bool) {
	o, f, p := b.outgoing[i], b.frames[i], b.peer
	if l := b.lent[i]; l != nil {
		p.lent--
		f.Lent = false
		t.pools.putLent(l)
	}
	o.last, f.Started = f.Prev, false
	o.sent--
	o.turn.Remove()
	if full {
		p.full.Push(&o.turn, o)
	} else {
		p.ready.Push(&o.turn, o)
	}
}

// writable notes that the socket takes messages for a peer again.
func (t *Transport) writable(p *peer) {
	p.Writable()
	p.notesFull = false
	for o := range p.full.All() {
		o.turn.Remove()
		p.ready.Push(&o.turn, o)
	}
	t.activate(p)
}

// released handles the completion of a zero-copy send. If the peer does not have the message, it is about to fail.
func (t *Transport) released(l *lent, outcome socket.Outcome) {
	o, f := l.outgoing, l.frame
	t.pools.putLent(l)
	p := o.peer
	p.lent--
	f.Lent = false
	switch {
	case outcome == socket.Acknowledged:
		t.done(o, f)
	case p.Gone():
		t.drop(p)
	}
	if p.lent == 0 {
		t.activate(p)
	}
}

// drop gives up the messages for a peer that is gone, but for those whose memory the socket still has. A goroutine that is
// handing some to the socket does so later.
func (t *Transport) drop(p *peer) {
	if p.Sending() {
		return
	}
	for _, o := range p.trcs.Out {
		own := o.Channel.(*outgoing)
		own.turn.Remove()
		own.wait.Remove()
		for f := o.Head(); f != nil && t.dropped; f = f.Next {
			f.Lent = false
		}
		t.layer.Drop(o, t.layer.Failed(p.Rank))
		if own.last = o.Head(); own.last == nil {
			t.layer.Remove(o)
		}
	}
	p.notes, p.waits, p.out, p.free, p.idle = nil, waits{}, nil, nil, trc.List[outgoing]{}
}

// pools keep the values that sending needs, for reuse.
type pools struct {
	batches freelist.List[batch]
	lents   freelist.List[lent]
}

// kept is how many values of a kind the pools keep.
const kept = 1024

func (p *pools) putLent(l *lent) {
	*l = lent{}
	p.lents.Put(l, kept)
}
