package matching

import (
	"errors"
	"fmt"
)

// MaxContexts bounds the contexts in which the engine keeps a process as a
// source because of its messages, before a receive from it was posted there. So
// a peer that invents contexts does not exhaust memory.
const MaxContexts = 1 << 16

// ErrContexts says that a peer exceeds MaxContexts.
var ErrContexts = errors.New("messages in too many contexts")

// source is one process as a sender in one context. It stays until the context
// is released, since it says which sequence numbers have arrived. Each context
// has one more source, which stands for any source.
//
// Its queue has the any-tag receives and the ready messages. These are sorted by
// sequence number, unless they could overtake each other, and those of any source as they became ready.
type source struct {
	queue
	context *context
	arrived sequence
	posted  int // receives from it, with any tag or a concrete one
}

// inTurn reports whether a message is the next one of s, none being missing before it, or held: most messages are.
func (s *source) inTurn(seq Seq) bool {
	a := &s.arrived
	return seq == a.next && seq+1 != 0 && a.missing == 0 && len(a.ranges.slots) == 0 && s.context.held.head == nil
}

// context is what the sources of a context share.
type context struct {
	any      source
	queues   queueList
	held     messageList // by arrival
	tagged   int         // posted receives from any source with a concrete tag
	concrete uint64      // receives with a concrete tag posted so far
	// overtaking: see AllowOvertaking.
	overtaking bool
}

// sender returns the source of an arriving message. trc is the queue of its TRC:
// unless it is nil it saves the look-up.
func (e *Engine) sender(c Context, from Rank, trc *queue) (*source, error) {
	if trc != nil {
		return trc.source, nil
	}
	if q := e.table.find(key{c, from, AnyTag}); q != nil {
		return q.source, nil
	}
	if e.contexts[from] >= MaxContexts {
		return nil, fmt.Errorf("%w: rank %d is known in %d, context %#x would be one more", ErrContexts, from, MaxContexts, c)
	}
	return e.source(c, from), nil
}

// source returns the source of a rank, or of AnySource, in a context, and
// makes it when it is new.
func (e *Engine) source(c Context, from Rank) *source {
	k := key{c, from, AnyTag}
	if q := e.table.find(k); q != nil {
		return q.source
	}
	var s *source
	if from == AnySource {
		all := new(context)
		s = &all.any
		s.context = all
	} else {
		s = &source{context: e.source(c, AnySource).context}
		if e.contexts == nil {
			e.contexts = make(map[Rank]int)
		}
		e.contexts[from]++
	}
	s.key, s.queue.source = k, s
	e.table.insert(&s.queue)
	return s
}

// open returns the queue of a key that is not in the table.
func (e *Engine) open(k key) *queue {
	s := e.source(k.context, k.source)
	if k.tag == AnyTag {
		return &s.queue
	}
	return e.table.open(k, s)
}

// tidy closes q, which has lost a receive or a message, if it is for messages of one tag and nothing is left in it. If it is that of a TRC it
// stays for the next message, which most often comes soon, and the one that has stayed before is closed, unless something has come.
func (e *Engine) tidy(q *queue) {
	if q.key.tag == AnyTag || q == e.empty || !q.isEmpty() {
		return
	}
	if q.key.source != AnySource {
		q, e.empty = e.empty, q
	}
	if q != nil && q.isEmpty() {
		e.table.close(q)
	}
}

// Release forgets a context, sequence numbers included. It withdraws the posted
// receives of the context and removes its unexpected messages, as Cancel and
// Take would, but nothing matches because of it. Receives and Messages list them,
// if called before. Receives that have matched are still returned by Next.
// Its cost is that of what the context has, however many others there are.
//
// A message that arrives later begins the context anew, at sequence number 0, so
// it never becomes ready. Release a context only when none of its messages is
// under way, and do not use it again before.
func (e *Engine) Release(c Context) {
	all := e.table.find(key{c, AnySource, AnyTag})
	if all == nil {
		return
	}
	for q := range all.source.context.queues.all {
		for r := q.receives.head; r != nil; r = q.receives.head {
			q.receives.remove(r)
			r.queue, r.state = nil, idle
			e.posted--
		}
		if q.key.tag == AnyTag {
			e.table.remove(q)
			if q.key.source != AnySource {
				e.forget(q.key.source)
			}
			continue
		}
		if q.key.source != AnySource {
			for m := q.messages.head; m != nil; {
				next := m.links[byTRC].next
				m.reset()
				e.unexpected--
				m = next
			}
		}
		if q == e.empty {
			e.empty = nil
		}
		e.table.close(q)
	}
}

// forget notes that a rank is a source in one context fewer.
func (e *Engine) forget(from Rank) {
	if e.contexts[from]--; e.contexts[from] == 0 {
		delete(e.contexts, from)
	}
}
