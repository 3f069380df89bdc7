package matching

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// MaxGaps bounds the gaps in the sequence numbers of one source in one
// context, unless Engine.Gaps does. To exceed it, more messages than that must
// have overtaken others at one time. At the bound the gaps take 2 MiB.
const MaxGaps = 1 << 16

// ErrGaps says that a source would have too many gaps. A message that is
// refused so may be handed in again when others have come.
var ErrGaps = errors.New("too many gaps in the sequence numbers")

// bound is how many gaps a source may have; factor is that of the call.
func (e *Engine) bound(from Rank, factor int) int {
	switch {
	case e.unbounded[from]:
		return math.MaxInt
	case e.Gaps == 0:
		return MaxGaps
	}
	return factor * e.Gaps
}

// Unbind lifts the bound on the gaps of a source that is gone: it has not much left that could arrive.
func (e *Engine) Unbind(from Rank) {
	if e.unbounded == nil {
		e.unbounded = make(map[Rank]bool)
	}
	e.unbounded[from] = true
}

// SequenceError says that a sequence number came twice, or is the largest
// uint64, which no message may have.
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
		err, src.key.source, src.key.context, src.arrived.next, s, len(src.arrived.ranges.all()))
}

// sequence says which sequence numbers of a source have arrived: all below
// next but for the missing ones, and those of the ranges. The ranges are sorted, with gaps before and
// between them. missing is 0 unless messages could overtake (see AllowOvertaking); while it is not 0,
// the first range may begin at next.
type sequence struct {
	next    Seq
	missing uint64
	ranges  ranges
}

// seqRange is a range of sequence numbers that have arrived. It lists those of
// its messages that are held, by sequence number.
type seqRange struct {
	first, last Seq
	held        messageList
}

// locate returns the index of the first range beyond s. s must not be due. It
// fails if s has arrived before, or would make more than so many ranges.
func (q *sequence) locate(s Seq, most int) (int, error) {
	if s < q.next || s+1 == 0 {
		return 0, errTwice
	}
	all := q.ranges.all()
	i := q.find(s)
	if i < len(all) && all[i].first <= s {
		return 0, errTwice
	}
	left, right := q.touches(i, s)
	if !left && !right && len(all) >= most {
		return 0, ErrGaps
	}
	return i, nil
}

// Missing reports whether message s of a source is known not to have arrived. Where messages may overtake each other that is known only of what
// is behind all that have arrived.
func (e *Engine) Missing(c Context, from Rank, s Seq) bool {
	q := e.table.find(key{c, from, AnyTag})
	if q == nil {
		return true
	}
	if s < q.source.arrived.next || s+1 == 0 {
		return false
	}
	_, err := q.source.arrived.locate(s, math.MaxInt)
	return err == nil
}

// Due returns the sequence number up to which an any-tag receive may take a message of a source that has not arrived: that of the first
// one that is missing, or the greatest if messages may overtake each other.
func (e *Engine) Due(c Context, from Rank) Seq {
	q := e.table.find(key{c, from, AnyTag})
	switch {
	case q == nil: // of the context no more may be known than what holds for all sources
		if q = e.table.find(key{c, AnySource, AnyTag}); q != nil && q.source.context.overtaking {
			return math.MaxUint64
		}
		return 0
	case q.source.context.overtaking:
		return math.MaxUint64
	}
	return q.source.arrived.next
}

// find returns the index of the first range that ends at s or beyond.
func (q *sequence) find(s Seq) int {
	i, _ := slices.BinarySearchFunc(q.ranges.all(), s, func(l seqRange, s Seq) int { return cmp.Compare(l.last, s) })
	return i
}

// touches reports whether s, which lies before range i, directly follows range
// i-1, and whether it directly precedes range i.
func (q *sequence) touches(i int, s Seq) (left, right bool) {
	all := q.ranges.all()
	return i > 0 && all[i-1].last+1 == s, i < len(all) && s+1 == all[i].first
}

// add notes that s has arrived. It lies before range i, the index that locate
// returned. m is its message if that is held, otherwise nil.
func (q *sequence) add(i int, s Seq, m *Message) {
	all := q.ranges.all()
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
			q.ranges.remove(i)
		}
	case right:
		l := &all[i]
		l.first = s
		if m != nil {
			l.held.pushFront(m, bySource)
		}
	default:
		l := seqRange{first: s, last: s}
		if m != nil {
			l.held.push(m, bySource)
		}
		q.ranges.insert(i, l)
	}
}

// advance moves next behind the first range if nothing is missing before that
// range, and returns the held messages of the range.
func (q *sequence) advance() (ready messageList) {
	if all := q.ranges.all(); len(all) > 0 && q.missing == 0 && all[0].first == q.next {
		q.next, ready = all[0].last+1, all[0].held
		q.ranges.remove(0)
	}
	return ready
}

// drop forgets a held message.
func (q *sequence) drop(m *Message) {
	q.ranges.all()[q.find(m.Seq)].held.remove(m, bySource)
}
