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
type sequence struct {
	// runs is memory[unused:]. The closing of the first gap leaves an element
	// unused rather than moving all that follow.
	runs, memory []run
	unused       int
}

// start makes the sequence that of a source from which nothing has arrived.
func (q *sequence) start() {
	clear(q.memory)
	q.memory = append(q.memory[:0], run{})
	q.runs, q.unused = q.memory, 0
}

// insertRun puts a run in place i.
func (q *sequence) insertRun(i int, r run) {
	if q.unused > 0 && (len(q.runs) == 1 || len(q.memory) == cap(q.memory)) {
		n := copy(q.memory, q.runs)
		clear(q.memory[n:])
		q.memory, q.unused = q.memory[:n], 0
	}
	q.memory = slices.Insert(q.memory, q.unused+i, r)
	q.runs = q.memory[q.unused:]
}

// closeGap joins the runs i and i+1, and returns the messages of the latter.
func (q *sequence) closeGap(i int) messageList {
	joined := q.runs[i+1].unmatched
	if i == 0 {
		q.runs[1].start, q.runs[1].unmatched = q.runs[0].start, q.runs[0].unmatched
		q.runs[0] = run{}
		q.unused++
	} else {
		q.runs[i].end = q.runs[i+1].end
		q.memory = slices.Delete(q.memory, q.unused+i+1, q.unused+i+2)
	}
	q.runs = q.memory[q.unused:]
	return joined
}

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
		joined := q.closeGap(i)
		if i == 0 {
			return joined, nil
		}
		q.runs[i].unmatched.concat(ofSource, &joined)
	case s == r.end:
		r.end++
	case joinsNext:
		q.runs[i+1].start = s
	case len(q.runs) > MaxGaps:
		return released, ErrGaps
	default:
		q.insertRun(i+1, run{start: s, end: s + 1})
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
