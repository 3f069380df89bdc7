package progression

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/operations"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// backlog has the sends to a peer that wait for credit, in order. Without credit a message is not
// even announced. Those of another TRC, which has credit, go past it. If a receive waits for one of them, the receiver
// demands it and gets it without credit, in whatever order it wants the tags. So a program that floods a peer goes on even
// if the peer receives other messages first, and the peer holds no more than its limit.
type backlog struct {
	count  int // of those that wait
	all    fifo
	trcs   map[trc]*fifo
	told   map[trc]struct{} // that the receiver knows of, since its last Demand
	denied int              // Nones that have not left
}

// maxDenied bounds backlog.denied: a peer that demands without listening is cut off.
const maxDenied = 1 << 16

// trc is the tag and context of messages to a peer.
type trc struct {
	context matching.Context
	tag     matching.Tag
}

// maxPassed is how many messages may be in a backlog when others overtake them. Each may be a gap in what their receiver has got, which has
// room for so many (matching.MaxGaps), and some for what streams reorder.
const maxPassed = matching.MaxGaps / 2

// inWay reports whether r has to wait for messages in the backlog: those of its own TRC, or too many.
func (b *backlog) inWay(r *rpi.Request) bool {
	return b.count > 0 && (b.count >= maxPassed || b.trcs[trc{r.Context, r.Tag}] != nil)
}

// held is a send in a backlog. When it leaves the backlog its request is nil. It stays in the lists
// until its turn comes there.
type held struct{ r *rpi.Request }

func isHeld(r *rpi.Request) bool {
	_, is := r.Transport.Pending.(*held)
	return is
}

// fifo is a list of sends, some of which may have left the backlog.
type fifo struct {
	sends []*held
	first int
}

// push adds a send. If the list is full it forgets those that have left first, wherever they stand: the first may stay for long.
func (q *fifo) push(h *held) {
	if len(q.sends) == cap(q.sends) {
		q.sends = slices.DeleteFunc(q.sends, func(h *held) bool { return h == nil || h.r == nil })
		q.sends, q.first = slices.Grow(q.sends, 1+len(q.sends)), 0
	}
	q.sends = append(q.sends, h)
}

// next returns the first send that has not left, nil if there is none.
func (q *fifo) next() *held {
	for ; q.first < len(q.sends); q.first++ {
		if h := q.sends[q.first]; h.r != nil {
			return h
		}
		q.sends[q.first] = nil
	}
	*q = fifo{sends: q.sends[:0]}
	return nil
}

// hold lets r wait for credit, and tells its receiver.
func (l *Layer) hold(r *rpi.Request) {
	b := &l.peers[r.Peer].backlog
	h, of := &held{r}, trc{r.Context, r.Tag}
	l.Requests.Name(r)
	r.Transport.Pending = h
	if b.trcs == nil {
		b.trcs, b.told = make(map[trc]*fifo), make(map[trc]struct{})
	}
	q := b.trcs[of]
	if q == nil {
		q = new(fifo)
		b.trcs[of] = q
	}
	q.push(h)
	b.all.push(h)
	b.count++
	if _, told := b.told[of]; !told {
		b.told[of] = struct{}{}
		l.queue(r.Peer, &header.Header{Kind: header.Held, Context: r.Context, Tag: r.Tag}, nil, nil)
	}
}

// unhold takes a send out of the backlog.
func (l *Layer) unhold(h *held) *rpi.Request {
	r := h.r
	b := &l.peers[r.Peer].backlog
	h.r, r.Transport.Pending = nil, nil
	if q := b.trcs[trc{r.Context, r.Tag}]; q.next() == nil {
		delete(b.trcs, trc{r.Context, r.Tag})
	}
	if b.count--; b.count == 0 {
		*b = backlog{denied: b.denied}
	}
	return r
}

// resume sends what waits in a list, in order, as far as the credit goes.
func (l *Layer) resume(q *fifo) {
	for h := q.next(); h != nil; h = q.next() {
		t, ok := l.pay(h.r)
		if !ok {
			return
		}
		r := l.unhold(h)
		if r.Mode != rpi.Synchronous {
			l.Requests.Drop(r) // an eager message has no name
		}
		l.emit(r, t, false)
	}
}

// demanded answers a Demand: it announces the first message with that tag, or says that there is
// none.
func (l *Layer) demanded(from matching.Rank, c matching.Context, tag matching.Tag) {
	b := &l.peers[from].backlog
	answer, h := header.ToTag, (*held)(nil)
	switch {
	case c == header.AnyContext && tag == matching.AnyTag:
		answer, h = header.ToAnyContext, b.first(func(c matching.Context) bool { return c&rpi.InOrder == 0 })
		clear(b.told)
	case tag == matching.AnyTag:
		answer, h = header.ToAnyTag, b.first(func(of matching.Context) bool { return of == c })
		clear(b.told)
	default:
		if q := b.trcs[trc{c, tag}]; q != nil {
			h = q.next()
		}
		delete(b.told, trc{c, tag})
	}
	if h != nil {
		r := l.unhold(h)
		rts := operations.Header(r)
		rts.Answer = answer
		l.announce(r, &rts)
		return
	}
	b.denied++
	l.queue(from, &header.Header{Kind: header.None, Context: c, Tag: tag, Length: uint64(b.count)}, nil, nil)
}

// first returns the first send that has not left and is in one of certain contexts, nil if there is none.
func (b *backlog) first(in func(matching.Context) bool) *held {
	if b.all.next() == nil {
		return nil
	}
	for _, h := range b.all.sends[b.all.first:] {
		if h.r != nil && in(h.r.Context) {
			return h
		}
	}
	return nil
}
