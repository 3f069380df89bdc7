package matching

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// MaxGaps bounds the gaps in the sequence numbers of one source in one
// context. It takes as many messages that overtook others at one time to
// exceed it; at the bound the gaps take 2 MiB.
const MaxGaps = 1 << 16

// ErrGaps says that a source exceeds MaxGaps.
var ErrGaps = errors.New("too many gaps in the sequence numbers")

// SequenceError says that a sequence number came twice, or is the one that has
// no successor and so can be none.
type SequenceError struct {
	Context Context
	Source  Rank
	Seq     Seq
}

func (e *SequenceError) Error() string {
	return fmt.Sprintf("sequence number %d of rank %d in context %#x came twice or is out of range", e.Seq, e.Source, e.Context)
}

var errTwice = errors.New("sequence number came twice")

// refuse is the error for a sequence number that locate does not accept.
func (e *Engine) refuse(err error, src *source, s Seq) error {
	if err == errTwice {
		return &SequenceError{src.key.context, src.key.source, s}
	}
	return fmt.Errorf("%w of rank %d in context %#x: %d is missing, %d comes behind the last of %d gaps",
		err, src.key.source, src.key.context, src.arrived.next, s, MaxGaps)
}

// sequence says which sequence numbers of a source have arrived: all below
// next, and beyond that gap those of the islands, which are sorted and have
// gaps between them.
type sequence struct {
	next    Seq
	islands islands
}

// island is a range of sequence numbers that have arrived, with those of its
// messages that are held, by sequence number.
type island struct {
	first, last Seq
	held        messageList
}

// locate returns the index of the first island beyond s, which is not next.
func (q *sequence) locate(s Seq) (int, error) {
	if s < q.next || s+1 == 0 {
		return 0, errTwice
	}
	all := q.islands.all()
	i := q.find(s)
	if i < len(all) && all[i].first <= s {
		return 0, errTwice
	}
	left, right := q.touches(i, s)
	if !left && !right && len(all) == MaxGaps {
		return 0, ErrGaps
	}
	return i, nil
}

// find returns the index of the first island that ends at s or beyond.
func (q *sequence) find(s Seq) int {
	i, _ := slices.BinarySearchFunc(q.islands.all(), s, func(l island, s Seq) int { return cmp.Compare(l.last, s) })
	return i
}

// touches reports whether s, which comes before island i, continues the one
// before, and whether it precedes island i immediately.
func (q *sequence) touches(i int, s Seq) (left, right bool) {
	all := q.islands.all()
	return i > 0 && all[i-1].last+1 == s, i < len(all) && s+1 == all[i].first
}

// add notes that s has arrived, before island i as locate said, and with it
// m if that is held.
func (q *sequence) add(i int, s Seq, m *Message) {
	all := q.islands.all()
	left, right := q.touches(i, s)
	switch {
	case left:
		l := &all[i-1]
		l.last = s
		if m != nil {
			l.held.push(m, bySource)
		}
		if right {
			l.last = all[i].last
			l.held.append(all[i].held, bySource)
			q.islands.remove(i)
		}
	case right:
		l := &all[i]
		l.first = s
		if m != nil {
			l.held.pushFront(m, bySource)
		}
	default:
		l := island{first: s, last: s}
		if m != nil {
			l.held.push(m, bySource)
		}
		q.islands.insert(i, l)
	}
}

// advance moves next over the first island if the gap before it is closed,
// and returns the messages of that.
func (q *sequence) advance() (ready messageList) {
	if all := q.islands.all(); len(all) > 0 && all[0].first == q.next {
		q.next, ready = all[0].last+1, all[0].held
		q.islands.remove(0)
	}
	return ready
}

// drop forgets a held message.
func (q *sequence) drop(m *Message) {
	q.islands.all()[q.find(m.Seq)].held.remove(m, bySource)
}
