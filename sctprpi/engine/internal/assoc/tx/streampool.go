package tx

import (
	"container/heap"
	"math"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/streams"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// pooled is what a stream has of a pool that the peer lets streams share.
type pooled struct {
	taken streams.Share
	// place is the place in a line, or -1; threshold what the pool must allow for the stream
	// to go on.
	place     int
	threshold int
	// holding is the place among the streams that have taken something of the pool.
	holding list.Link[stream]
}

// pooling is the pool, and who waits for it.
type pooling struct {
	pool streams.Pool
	// piece is what a stream goes on with at least, in bytes, if it has as much.
	piece int
	// lines are of streams that wait for the pool: those of which something has been read,
	// and the others.
	lines [2]line
	// holders are the streams that have taken something of the pool, in the order in which
	// they are to be asked about.
	holders list.List[stream]
	// askHoldersAt is when some of them may be asked about again, however many streams wait.
	askHoldersAt time.Duration
}

// shared reports whether there is a pool.
func (q *credits) shared() bool { return q.pooling != nil }

// anySize is the size of a message of which nothing is known.
const anySize = math.MaxInt

// longestPiece bounds pooling.piece: where packets are very long a stream goes on with less.
const longestPiece = 1200

// allowed returns how much a stream that has rest bytes to send may send, 0 if it must wait:
// no more than it may have unread, and not less than a piece, so that no tiny chunks are cut
// off a message as the peer reads. Only in its base a stream goes on with any chunk that is
// worth its charge.
func (q *credits) allowed(c *credit, rest int) int {
	unread := c.unread()
	left := q.pool.Allowance(&c.taken) - unread
	if left >= q.pieceOf(rest) || q.pool.Base()-unread >= wire.MinStreamCharge {
		return min(rest, left)
	}
	return 0
}

// pieceOf returns the charge of what a stream that has rest bytes to send goes on with.
func (q *credits) pieceOf(rest int) int { return int(wire.StreamCharge(min(rest, q.piece))) }

// cap returns how much of n bytes, which fit a packet, a stream may send now.
func (q *credits) cap(s *stream, n int) int {
	if !q.shared() || q.whole {
		return n
	}
	return min(n, q.allowed(s.credit, s.rest()))
}

// account notes what of a stream is unread, and whether something has been read just now.
func (q *credits) account(s *stream, read bool) {
	if !q.shared() {
		return
	}
	c := s.credit
	q.leaveLine(s)
	q.pool.Set(&c.taken, c.unread(), c.taken.Read || read)
	if c.taken.Over() > 0 {
		q.holders.Push(s, &c.holding)
	} else {
		q.holders.Remove(&c.holding)
	}
}

// lineOf returns the line for streams like this one.
func (q *credits) lineOf(c *credit) *line {
	if c.taken.Read {
		return &q.lines[1]
	}
	return &q.lines[0]
}

// enterLine gives a stream its place among those that wait for the pool, if it waits for that
// and not only for itself to be read.
func (q *credits) enterLine(s *stream, waits bool) {
	q.leaveLine(s)
	for i := range q.lines {
		if q.lines[i].called == s {
			q.lines[i].called = nil // it has had its turn
		}
	}
	c := s.credit
	if !waits || q.pool.Limit()-c.unread() < q.pieceOf(s.rest()) {
		return
	}
	c.threshold = c.unread() - q.pool.Base() + q.pieceOf(s.rest())
	heap.Push(q.lineOf(c), s)
}

func (q *credits) leaveLine(s *stream) {
	if s.credit.place >= 0 {
		heap.Remove(q.lineOf(s.credit), s.credit.place)
	}
}

// goOn lets the streams go on that are first in line, if the pool allows it: of each line one at
// a time, which is called. The next is called when that one has sent a chunk. So only those go
// through the schedule that may send, and few of them in vain because others have been faster.
// It reports whether one has been called.
func (s *Sender) goOn() (some bool) {
	q := &s.queue.credits
	for i := range q.lines {
		l := &q.lines[i]
		for !l.busy() && len(l.streams) > 0 {
			st := l.streams[0]
			if st.credit.threshold > q.pool.Threshold(st.credit.taken.Read) {
				break
			}
			q.forget(st)
			if st.unsent.Empty() { // it would have had something to send
				q.retry(st.credit)
				continue
			}
			s.queue.enter(st)
			l.called, some = st, true
		}
	}
	return some
}

// askedAtOnce is about how many streams that hold a part of the pool the peer is asked when one
// has waited for the pool for a timeout, and at most once in that time. They take a packet.
const askedAtOnce = 128

// askHolders has the peer asked about streams that hold a part of the pool, each in turn: that
// one has been read may be what has been lost.
func (q *credits) askHolders() {
	last := q.holders.Last()
	for range askedAtOnce {
		s := q.holders.Pop()
		if s == nil {
			return
		}
		q.holders.Push(s, &s.credit.holding)
		q.asking.Push(s, &s.credit.asking)
		if s == last {
			return
		}
	}
}

// setPiece notes how many bytes of user data fit a packet.
func (q *credits) setPiece(n int) {
	if !q.shared() {
		return
	}
	q.piece = min(n, longestPiece)
	for i := range q.lines {
		l := &q.lines[i]
		for _, s := range l.streams {
			s.credit.threshold = s.credit.unread() - q.pool.Base() + q.pieceOf(s.rest())
		}
		heap.Init(l)
	}
}

// line is a heap of streams that wait for the pool, and know their places in it: the one that
// needs least of it first. Those of which as much waits are in the order of how much they have
// taken.
type line struct {
	streams []*stream
	called  *stream
}

// busy reports whether the stream that has been called has yet to send.
func (l *line) busy() bool { return l.called != nil && l.called.slot >= 0 }

func (l *line) Len() int { return len(l.streams) }
func (l *line) Less(i, j int) bool {
	return l.streams[i].credit.threshold < l.streams[j].credit.threshold
}

func (l *line) Swap(i, j int) {
	h := l.streams
	h[i], h[j] = h[j], h[i]
	h[i].credit.place, h[j].credit.place = i, j
}

func (l *line) Push(x any) {
	s := x.(*stream)
	s.credit.place = len(l.streams)
	l.streams = append(l.streams, s)
}

func (l *line) Pop() any {
	last := len(l.streams) - 1
	s := l.streams[last]
	s.credit.place = -1
	l.streams[last] = nil
	l.streams = l.streams[:last]
	return s
}
