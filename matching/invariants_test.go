package matching

import "fmt"

// check looks at the inside of an engine and reports what is wrong in its lists,
// its counters or its sequences, and receives and messages that should have
// matched. Only in the contexts overtaken may ready messages of a source be out of order.
func check(e *Engine, overtaken map[Context]bool) error {
	var count, ofContexts, posted, unexpected, listed int
	tagged := make(map[*context]int)
	known := make(map[Rank]int)
	for q := range e.table.all {
		count++
		if e.table.find(q.key) != q {
			return fmt.Errorf("%v cannot be found", q.key)
		}
		if err := checkOwner(e, q); err != nil {
			return err
		}
		n, err := checkReceives(q)
		if err != nil {
			return err
		}
		posted += n
		switch {
		case q.key.source == AnySource && q.key.tag == AnyTag:
			n, err := checkContext(q.source.context)
			if err != nil {
				return err
			}
			unexpected += n
			for of := range q.source.context.queues.all {
				if of.source.context != q.source.context || e.table.find(of.key) != of {
					return fmt.Errorf("%v is no queue of context %d", of.key, q.key.context)
				}
				ofContexts++
			}
		case q.key.tag == AnyTag:
			known[q.key.source]++
			n, err := checkSequence(q.source, overtaken[q.key.context])
			if err != nil {
				return err
			}
			listed += n
		case q.key.source == AnySource:
			tagged[q.source.context] += n
		}
	}
	for c, n := range tagged {
		if c.tagged != n {
			return fmt.Errorf("%d receives from any source counted, %d there", c.tagged, n)
		}
	}
	for rank, n := range known {
		if e.contexts[rank] != n {
			return fmt.Errorf("rank %d counted in %d contexts, known in %d", rank, e.contexts[rank], n)
		}
	}
	if count != e.table.count || count != ofContexts || posted != e.posted || unexpected != e.unexpected || listed != unexpected || len(known) != len(e.contexts) {
		return fmt.Errorf("%d queues (%d of contexts), %d receives, %d messages (%d by source), counted %d, %d, %d",
			count, ofContexts, posted, unexpected, listed, e.table.count, e.posted, e.unexpected)
	}
	return nil
}

func checkOwner(e *Engine, q *queue) error {
	if q.key.tag != AnyTag && q.isEmpty() && q != e.empty {
		return fmt.Errorf("%v is empty", q.key)
	}
	if s := e.table.find(key{q.key.context, q.key.source, AnyTag}); s == nil || s.source != q.source {
		return fmt.Errorf("%v belongs to another source", q.key)
	}
	if all := e.table.find(key{q.key.context, AnySource, AnyTag}); all == nil || &all.source.context.any != all.source || all.source.context != q.source.context {
		return fmt.Errorf("%v belongs to another context", q.key)
	}
	return nil
}

func checkReceives(q *queue) (n int, err error) {
	var last *Receive
	for r := q.receives.head; r != nil; r = r.next {
		n++
		if r.prev != last || r.queue != q || r.state != posted || last != nil && last.order >= r.order {
			return n, fmt.Errorf("the receives of %v are out of order", q.key)
		}
		last = r
	}
	if q.receives.tail != last {
		return n, fmt.Errorf("the receives of %v end elsewhere", q.key)
	}
	return n, nil
}

// checkMessages walks a list.
func checkMessages(l *messageList, by list, each func(last, m *Message) bool) (n int, err error) {
	var last *Message
	for m := l.head; m != nil; m = m.links[by].next {
		n++
		if m.links[by].prev != last || m.trc == nil || !each(last, m) {
			return n, fmt.Errorf("list %d is wrong at message %d of rank %d in context %d", by, m.Seq, m.Source, m.Context)
		}
		last = m
	}
	if l.tail != last {
		return n, fmt.Errorf("list %d ends elsewhere", by)
	}
	return n, nil
}

// checkContext checks all messages of a context, and that no posted receive may take them.
func checkContext(c *context) (int, error) {
	one := func(held bool) func(last, m *Message) bool {
		return func(last, m *Message) bool {
			return m.held == held && m.held == (m.Seq >= m.trc.source.arrived.next) &&
				(!held || last == nil || last.order < m.order) &&
				receiver(m.trc.source, m.trc, m.tag, !held) == nil
		}
	}
	held, err := checkMessages(&c.held, byContext, one(true))
	if err != nil {
		return 0, err
	}
	ready, err := checkMessages(&c.any.messages, byContext, one(false))
	if err != nil {
		return 0, err
	}
	for m := range both(&c.held, &c.any.messages) {
		for _, l := range []struct {
			q  *queue
			by list
		}{{m.trc, byTRC}, {m.tag, byTag}} {
			found := false
			_, err := checkMessages(&l.q.messages, l.by, func(last, other *Message) bool {
				found = found || other == m
				return last == nil || last.order < other.order
			})
			if err != nil {
				return 0, err
			}
			if !found {
				return 0, fmt.Errorf("message %d is not in %v", m.Seq, l.q.key)
			}
		}
	}
	return held + ready, nil
}

func both(lists ...*messageList) func(func(*Message) bool) {
	return func(yield func(*Message) bool) {
		for _, l := range lists {
			for m := l.head; m != nil; m = m.links[byContext].next {
				if !yield(m) {
					return
				}
			}
		}
	}
}

// checkSequence checks the ranges of a source and the messages in them.
func checkSequence(s *source, overtaken bool) (int, error) {
	ascending := func(low, high Seq) func(last, m *Message) bool {
		return func(last, m *Message) bool {
			return m.trc.source == s && low <= m.Seq && m.Seq <= high && (last == nil || last.Seq < m.Seq)
		}
	}
	n := 0
	if s.arrived.next > 0 || s.messages.head != nil {
		order := ascending(0, s.arrived.next-1)
		if overtaken {
			order = func(_, m *Message) bool { return m.trc.source == s && m.Seq < s.arrived.next }
		}
		ready, err := checkMessages(&s.messages, bySource, order)
		if err != nil {
			return 0, err
		}
		n = ready
	}
	end := s.arrived.next
	for _, l := range s.arrived.ranges.all() {
		if l.first < end || l.first == end && s.arrived.missing == 0 || l.last < l.first {
			return 0, fmt.Errorf("range %d to %d of rank %d follows %d", l.first, l.last, s.key.source, end)
		}
		held, err := checkMessages(&l.held, bySource, ascending(l.first, l.last))
		if err != nil {
			return 0, err
		}
		n += held
		end = l.last + 1
	}
	return n, nil
}

// holdsNothing reports what an engine still holds that should hold nothing.
func holdsNothing(e *Engine) error {
	for q := range e.table.all {
		return fmt.Errorf("queue %v is left", q.key)
	}
	if e.table.count != 0 || e.posted != 0 || e.unexpected != 0 || e.matched.head != nil || len(e.contexts) != 0 {
		return fmt.Errorf("%d queues, %d receives, %d messages, sources %v are left", e.table.count, e.posted, e.unexpected, e.contexts)
	}
	for q := e.table.spare; q != nil; q = q.chain {
		if (*q != queue{chain: q.chain}) {
			return fmt.Errorf("spare queue %v was not reset", q.key)
		}
	}
	return nil
}
