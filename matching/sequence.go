package matching

import (
	"errors"
	"fmt"
	"slices"
)

// MaxGaps bounds the gaps in the sequence numbers of one source in one
// context: more would mean that as many messages are overdue at once.
const MaxGaps = 1 << 16

// ErrGaps says that a source exceeds MaxGaps.
var ErrGaps = errors.New("too many gaps in the sequence numbers")

// SequenceError says that a sequence number came twice, or is none.
type SequenceError struct {
	Context Context
	Source  Rank
	Seq     Seq
}

func (e *SequenceError) Error() string {
	return fmt.Sprintf("sequence number %d of rank %d in context %#x came twice or is out of range", e.Seq, e.Source, e.Context)
}

// run is a range [start, end) of sequence numbers that have arrived, and
// those of its messages that are still unmatched, by sequence number.
type run struct {
	start, end Seq
	unmatched  messageList
}

// sequence is what has arrived from one source in one context: sorted,
// disjoint, not adjacent runs. The first begins at 0 and may be empty; the
// messages in it are "ready", those in later ones "held".
type sequence struct{ runs []run }

// find returns the index of the last run that starts at or before s.
func (q *sequence) find(s Seq) int {
	if n := len(q.runs); n == 1 || q.runs[1].start > s {
		return 0
	}
	i, exact := slices.BinarySearchFunc(q.runs, s, func(r run, s Seq) int {
		switch {
		case r.start < s:
			return -1
		case r.start > s:
			return 1
		}
		return 0
	})
	if !exact {
		i--
	}
	return i
}

// ready reports whether everything up to and including s has arrived.
func (q *sequence) ready(s Seq) bool { return s < q.runs[0].end }

// errors of add, told apart by the caller, who knows more to say.
var errTwice = errors.New("sequence number came twice")

// add notes that s has arrived. If this closes the first gap, it returns the
// messages that were held behind it, by sequence number; they are in no run
// any more.
func (q *sequence) add(s Seq) (released messageList, err error) {
	i := q.find(s)
	r := &q.runs[i]
	if s < r.end || s+1 == 0 {
		return released, errTwice
	}
	joinsNext := i+1 < len(q.runs) && q.runs[i+1].start == s+1
	switch {
	case s == r.end && joinsNext:
		next := q.runs[i+1]
		r.end = next.end
		if i == 0 {
			released = next.unmatched
		} else {
			r.unmatched.concat(ofSource, &next.unmatched)
		}
		q.runs = slices.Delete(q.runs, i+1, i+2)
	case s == r.end:
		r.end++
	case joinsNext:
		q.runs[i+1].start = s
	case len(q.runs) > MaxGaps:
		return released, ErrGaps
	default:
		q.runs = slices.Insert(q.runs, i+1, run{start: s, end: s + 1})
	}
	return released, nil
}

// insert puts an unmatched message, whose number has been added, into its
// run. Its number is the lowest or the highest of the unmatched of the run,
// or it joined two.
func (q *sequence) insert(m *Message) {
	l := &q.runs[q.find(m.Seq)].unmatched
	if l.tail == nil || l.tail.Seq < m.Seq {
		l.push(ofSource, m)
		return
	}
	if m.Seq < l.head.Seq {
		l.pushFront(ofSource, m)
		return
	}
	// It joined two runs: the place is where their messages meet.
	before := l.tail
	for before.Seq > m.Seq {
		before = before.links[ofSource].prev
	}
	after := before.links[ofSource].next
	m.links[ofSource] = messageLinks{prev: before, next: after}
	before.links[ofSource].next, after.links[ofSource].prev = m, m
}

// remove takes an unmatched message out of its run.
func (q *sequence) remove(m *Message) {
	q.runs[q.find(m.Seq)].unmatched.remove(ofSource, m)
}
