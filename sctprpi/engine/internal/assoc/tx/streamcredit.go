package tx

import (
	"container/heap"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/streams"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// credit is what a stream may send while the peer limits how much of it may be unread.
// Charges are those of wire.StreamCharge.
type credit struct {
	// sent is the charge of all that has been sent, granted that of what the peer
	// is known to have read. Both wrap.
	sent, granted uint32
	// excess is what is queued beyond what may be sent; refused says that a message
	// was, for the stream's sake.
	excess  int
	refused bool
	// queued is what is queued, whether it may be sent or not. A message that was refused because of it is worth another try
	// when it is again.
	queued, again int

	// slot is the place among the streams that wait, or -1. A stream that waits is
	// asked about at askAt, for which timeout has been waited; asking is the place
	// among those to be asked about.
	slot    int
	asking  list.Link[stream]
	askAt   time.Duration
	timeout time.Duration

	pooled
}

// unread returns the charge of what has been sent and is not known to have been read.
func (c *credit) unread() int { return int(c.sent - c.granted) }

// credits are the limit of a peer for each stream, and what is common to the streams.
type credits struct {
	limit int // 0: there is none
	// whole says that a message that has been begun is finished, whatever the limit:
	// nothing else may be sent before, or the peer reads whole messages only.
	whole bool
	// share is how much one stream may queue beyond what it may send, most how much
	// all together.
	share, most    int
	excess, queued int // of all
	// refused says that a message was on account of other streams; roomy that one
	// which was refused is worth another try.
	refused, roomy bool

	// waiting are the streams that wait, soonest to be asked about first; asking
	// those that are to be asked about now.
	waiting byAskAt
	asking  list.List[stream]

	*pooling // nil if there is no pool
}

// newCredits: a stream that waits may queue as much again as the peer lets it send, so
// that there is something to send when the peer does, but neither it nor many like it
// may fill the send buffer, from which other streams are to go on.
func newCredits(limit wire.StreamLimit, interleaving bool, sendBuffer int) credits {
	q := credits{limit: int(limit.Bytes), whole: limit.Whole || !interleaving, most: sendBuffer / 2}
	share := q.limit
	if limit.Pool > 0 {
		q.pooling = &pooling{pool: streams.NewPool(q.limit, int(limit.Base), int(limit.Pool))}
		q.limit = q.pool.Limit()
		share = min(q.limit, int(limit.Base+limit.Pool/4))
	}
	q.share = min(share, sendBuffer/4)
	return q
}

// left returns how much more a stream may send.
func (q *credits) left(c *credit) int {
	limit := q.limit
	if q.shared() {
		limit = q.pool.Allowance(&c.taken)
	}
	return max(limit-c.unread(), 0)
}

// open reports whether a stream may begin a message of size bytes, or go on with so many.
func (q *credits) open(c *credit, size int) bool {
	if q.shared() {
		return q.allowed(c, size) > 0
	}
	return q.left(c) > 0
}

// blocks reports whether a stream must not send the next chunk of its oldest message.
func (q *credits) blocks(s *stream) bool {
	return s.credit != nil && !(q.whole && s.started()) && !q.open(s.credit, s.rest())
}

// waits reports whether a stream has something to send, or would have, that must wait
// until the peer has read.
func (q *credits) waits(s *stream) bool {
	return q.blocks(s) && (!s.unsent.Empty() || s.credit.refused)
}

// refuse reports whether a message of size bytes, which takes charge of the send buffer,
// should not be queued while the peer leaves the stream unread, and takes note for roomy.
func (q *credits) refuse(s *stream, size, charge int) bool {
	c := s.credit
	goes := s.unsent.Empty() && q.open(c, size)
	if goes && !q.shared() {
		return false // it goes at once, or a long one never would
	}
	beyond := s.charge() + charge - q.left(c)
	ahead := !goes && q.ahead(c, charge)
	if beyond <= 0 && !ahead {
		return false
	}
	full := beyond > q.room(c)
	if goes && (!full || q.excess <= q.most/2) {
		return false
	}
	if !full && !ahead && beyond <= q.share {
		return false
	}
	c.refused, c.again = true, c.queued/2
	q.refused = q.refused || full && q.excess > q.most/2
	return true
}

// ahead reports whether a stream would queue more than its part, with a message that takes charge. With a pool it may send less
// than when it queued, as others take what they all might have had: all that is queued may turn out to be beyond it. So a
// stream queues, as of the pool, at most a quarter of what is free. It may queue more where the pool has room for four times what all
// have queued, as then hardly any of that can be stuck: half of what is free of that.
func (q *credits) ahead(c *credit, charge int) bool {
	if !q.shared() {
		return false
	}
	others := q.queued - c.queued
	return c.queued+charge > max((q.most/2-others)/4, (q.pool.Threshold(false)/4-others)/2)
}

// room returns how much a stream may queue beyond what it may send, as far as the others leave
// any. With a pool there may be tens of thousands of streams that wait. Half of what all may queue
// is then for the first message of each; what more a stream queues is, as of the pool, at most a
// quarter of what is free of the other half.
func (q *credits) room(c *credit) int {
	others := q.excess - c.excess
	if q.shared() && c.excess > 0 {
		return (q.most/2 - others) / 4
	}
	return q.most - others
}

// retry notes that a message which was refused for a stream's sake is worth another try, as soon as
// there is room for those of all streams.
func (q *credits) retry(c *credit) {
	c.refused = false
	if q.shared() && q.excess > q.most {
		q.refused = true
	} else {
		q.roomy = true
	}
}

// book notes that what a stream has queued, or may send, has changed.
func (q *credits) book(s *stream) {
	c := s.credit
	excess, queued := 0, 0
	if !s.unsent.Empty() {
		queued = s.charge()
		excess = max(queued-q.left(c), 0)
	}
	q.excess += excess - c.excess
	q.queued += queued - c.queued
	c.excess, c.queued = excess, queued
	if q.refused && q.excess <= q.most/2 {
		q.refused, q.roomy = false, true
	}
	switch {
	case !c.refused:
	case s.unsent.Empty():
		if q.open(c, anySize) {
			q.retry(c)
		}
	case q.shared() && c.queued <= c.again && excess == 0:
		q.retry(c)
	}
}

// forget stops the timer of a stream, and takes it out of its line for the pool.
func (q *credits) forget(s *stream) {
	if s.credit.slot >= 0 {
		heap.Remove(&q.waiting, s.credit.slot)
	}
	q.leaveLine(s)
}

// credited does what there is to do after a change of what a stream has queued, or
// may send: it is booked, and the timer runs while the stream waits.
func (s *Sender) credited(now time.Duration, st *stream) {
	c := st.credit
	if c == nil {
		return
	}
	q := &s.queue.credits
	q.book(st)
	waits := q.waits(st)
	switch {
	case !waits:
		q.forget(st)
	case c.slot < 0:
		c.timeout = s.paths[s.lastPath].rto.Timeout()
		c.askAt = now + c.timeout
		heap.Push(&q.waiting, st)
	}
	if q.shared() {
		if waits {
			s.queue.schedule.remove(st) // others have been faster
		} else {
			s.queue.enter(st) // it need not be called any more
		}
		q.enterLine(st, waits)
		s.goOn()
	}
}

// Granted notes that the peer has read streams up to offsets. One that says what
// cannot be changes nothing and returns ErrCreditUnsent or ErrCreditStream. Those that
// have been overtaken do nothing.
func (s *Sender) Granted(now time.Duration, offsets wire.StreamOffsets) error {
	for o := range offsets.All() {
		if !s.queue.streams.Has(o.Stream) {
			return ErrCreditStream
		}
		st := s.queue.streams.Get(o.Stream)
		switch {
		case st != nil && st.credit != nil:
			c := st.credit
			if int32(o.Offset-c.granted) > 0 && o.Offset-c.granted > c.sent-c.granted {
				return ErrCreditUnsent
			}
		case o.Offset != 0:
			return ErrCreditUnsent
		}
	}
	for o := range offsets.All() {
		st := s.queue.streams.Get(o.Stream)
		if st == nil || st.credit == nil || int32(o.Offset-st.credit.granted) <= 0 {
			continue
		}
		c := st.credit
		c.granted = o.Offset
		s.queue.credits.account(st, true)
		s.queue.enter(st)
		s.credited(now, st)
		if q := &s.queue.credits; c.refused && q.left(c) > 0 && c.excess <= q.share/2 {
			c.refused, q.roomy = false, true
			if !q.waits(st) { // with a pool it may have, for what was refused alone
				q.forget(st)
			}
		}
	}
	return nil
}

// Asking reports whether there are streams to ask the peer about.
func (s *Sender) Asking() bool { return !s.queue.credits.asking.Empty() }

// AppendAsking appends to a list at most n streams that have waited for long for the
// peer to read what it has, and takes them as asked about.
func (s *Sender) AppendAsking(offsets wire.StreamOffsets, n int) wire.StreamOffsets {
	asking := &s.queue.credits.asking
	for n > 0 && !asking.Empty() {
		st := asking.Pop()
		if st.credit.slot >= 0 || st.credit.taken.Over() > 0 {
			offsets = offsets.Append(wire.StreamOffset{Stream: st.id, Offset: st.credit.granted})
			n--
		}
	}
	return offsets
}

// expireCredits has the peer asked about streams that have waited for a timeout: what
// it has said may have been lost. The next timeout is twice as long. Messages that have
// run out of their lifetime meanwhile are dropped.
func (s *Sender) expireCredits(now time.Duration) {
	q := &s.queue.credits
	inLine := false
	for len(q.waiting) > 0 && q.waiting[0].credit.askAt <= now {
		st := q.waiting[0]
		c := st.credit
		c.timeout = min(2*c.timeout, s.config.RTO.Max)
		c.askAt = now + c.timeout
		heap.Fix(&q.waiting, 0)
		q.asking.Push(st, &c.asking)
		if c.place >= 0 {
			inLine = true
		}
		s.queue.dropExpired(now, st, s.dropped)
		s.credited(now, st)
	}
	if inLine && now >= q.askHoldersAt { // each that waits has its own timer, and all wait for the same
		q.askHoldersAt = now + s.paths[s.lastPath].rto.Timeout()
		q.askHolders()
	}
}

// byAskAt is a heap of streams that know their places in it.
type byAskAt []*stream

func (h byAskAt) Len() int           { return len(h) }
func (h byAskAt) Less(i, j int) bool { return h[i].credit.askAt < h[j].credit.askAt }
func (h byAskAt) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].credit.slot, h[j].credit.slot = i, j
}

func (h *byAskAt) Push(x any) {
	s := x.(*stream)
	s.credit.slot = len(*h)
	*h = append(*h, s)
}

func (h *byAskAt) Pop() any {
	last := len(*h) - 1
	s := (*h)[last]
	s.credit.slot = -1
	(*h)[last] = nil
	*h = (*h)[:last]
	return s
}
