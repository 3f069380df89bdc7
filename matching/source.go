package matching

import (
	"errors"
	"fmt"
)

// MaxContexts bounds the contexts in which one process can make itself known
// as a source before a receive was posted for it there: a peer that invents
// contexts does not exhaust memory.
const MaxContexts = 1 << 16

// ErrContexts says that a peer exceeds MaxContexts.
var ErrContexts = errors.New("messages in too many contexts")

// source is what is known of one process as a sender in one context. It stays
// until the context is released, since it says which sequence numbers have
// arrived. Each context has one more that stands for any source.
//
// Its queue has the any-tag receives and the ready messages: by sequence
// number, or, of any source, in the order in which they became ready.
type source struct {
	queue
	context *context
	arrived sequence
}

// context is what the sources of a context share.
type context struct {
	any      source
	held     messageList // by arrival
	tagged   int         // posted receives from any source with a concrete tag
	concrete uint64      // receives with a concrete tag posted so far
}

// sender returns the source of an arriving message. Its TRC's queue, which may
// be nil, saves the look-up.
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

// tidy closes q if it is for messages of one tag and nothing is left in it.
func (e *Engine) tidy(q *queue) {
	if q.key.tag != AnyTag && q.receives.head == nil && q.messages.head == nil {
		e.table.close(q)
	}
}

// Release forgets a context, sequence numbers included. Receives still posted
// in it are withdrawn and messages still unexpected are removed, as Cancel and
// Take would, but nothing matches; a caller who wants to know them asks
// Receives and Messages before. Receives that have matched are still returned
// by Next. It looks at every queue of the engine.
//
// A message that arrives later begins the context anew, and is out of sequence
// for ever: contexts are to be released when no message is under way, and not
// to be used again before.
func (e *Engine) Release(c Context) {
	for q := range e.table.all {
		if q.key.context != c {
			continue
		}
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
		e.table.close(q)
	}
}

// forget notes that a rank is a source in one context less.
func (e *Engine) forget(from Rank) {
	if e.contexts[from]--; e.contexts[from] == 0 {
		delete(e.contexts, from)
	}
}
