package matching

import (
	"cmp"
	"iter"
	"slices"
)

// Receives lists the posted receives in the order of posting. The engine may
// be changed while the list is read: receives that are no longer posted are
// left out, new ones are not seen. If there are any it allocates, and looks at every queue.
func (e *Engine) Receives() iter.Seq[*Receive] {
	return func(yield func(*Receive) bool) {
		if e.posted == 0 {
			return // however many contexts there are
		}
		all := make([]*Receive, 0, e.posted)
		for q := range e.table.all {
			for r := q.receives.head; r != nil; r = r.next {
				all = append(all, r)
			}
		}
		slices.SortFunc(all, func(a, b *Receive) int { return cmp.Compare(a.order, b.order) })
		for _, r := range all {
			if r.state == posted && !yield(r) {
				return
			}
		}
	}
}

// Messages lists the unexpected messages in the order of arrival, under the
// same conditions as Receives.
func (e *Engine) Messages() iter.Seq[*Message] {
	return func(yield func(*Message) bool) {
		if e.unexpected > 0 {
			messages(e.table.all)(yield)
		}
	}
}

// MessagesIn lists those of one context, at the cost of what that context has. It allocates only if there are any.
func (e *Engine) MessagesIn(c Context) iter.Seq[*Message] {
	return func(yield func(*Message) bool) {
		if all := e.table.find(key{c, AnySource, AnyTag}); all != nil {
			messages(all.source.context.queues.all)(yield)
		}
	}
}

func messages(queues iter.Seq[*queue]) iter.Seq[*Message] {
	return func(yield func(*Message) bool) {
		var all []*Message
		for q := range queues {
			if q.key.source == AnySource || q.key.tag == AnyTag {
				continue
			}
			for m := q.messages.head; m != nil; m = m.links[byTRC].next {
				all = append(all, m)
			}
		}
		slices.SortFunc(all, func(a, b *Message) int { return cmp.Compare(a.order, b.order) })
		for _, m := range all {
			if m.trc != nil && !yield(m) {
				return
			}
		}
	}
}

// Walk calls receive for every posted receive and message for every unexpected message, in
// any order, but for messages of one TRC one after the other as they arrived. It allocates
// nothing. The engine must not be changed meanwhile.
func (e *Engine) Walk(receive func(*Receive), message func(*Message)) {
	for q := range e.table.all {
		for r := q.receives.head; r != nil; r = r.next {
			receive(r)
		}
		if q.key.source == AnySource || q.key.tag == AnyTag {
			continue
		}
		for m := q.messages.head; m != nil; m = m.links[byTRC].next {
			message(m)
		}
	}
}
