package assoc

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/freelist"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// notices is a queue of events that are not data: a few for each turn in an
// association's life, and one for each message lent, which may be many at once. Its
// memory is shared among associations.
type notices struct{ pieces list.List[notice] }

// notice is a piece of the queue. Its events from read up to write are in the queue.
type notice struct {
	events      [16]socket.Event
	read, write int
	link        list.Link[notice]
}

func (q *notices) empty() bool { return q.pieces.Empty() }

func (q *notices) push(pool *noticePool, e socket.Event) {
	n := q.pieces.Last()
	if n == nil || n.write == len(n.events) {
		n = pool.get()
		q.pieces.Push(n, &n.link)
	}
	n.events[n.write] = e
	n.write++
}

func (q *notices) pop(pool *noticePool, e *socket.Event) {
	n := q.pieces.First()
	*e, n.events[n.read] = n.events[n.read], socket.Event{}
	n.read++
	if n.read == n.write {
		q.pieces.Pop()
		pool.put(n)
	}
}

// noticePool keeps pieces for reuse.
type noticePool struct{ freelist.List[notice] }

// keptNotices bounds them, to about a megabyte.
const keptNotices = 512

func (p *noticePool) get() *notice {
	n := p.Take()
	n.read, n.write = 0, 0
	return n
}

func (p *noticePool) put(n *notice) { p.Put(n, keptNotices) }
