package tx

import (
	"cmp"
	"container/heap"
)

// Scheduler says which stream sends next when several have something to send
// ([RFC 8260, section 3]). It chooses anew after each message, and when messages
// may be interleaved after each chunk.
//
// [RFC 8260, section 3]: https://www.rfc-editor.org/rfc/rfc8260#section-3
type Scheduler uint8

const (
	// FirstComeFirstServed sends messages in the order in which they were
	// queued (section 3.1).
	FirstComeFirstServed Scheduler = iota
	// RoundRobin gives each stream its turn (section 3.2).
	RoundRobin
	// PriorityBased lets streams of a lower value go first, those of the same
	// value in turn (section 3.4). Streams of high values may starve.
	PriorityBased
	// WeightedFairQueueing shares the bandwidth in proportion to the streams'
	// values (section 3.6); with equal values it is the fair capacity
	// scheduler of section 3.5.
	WeightedFairQueueing

	schedulers
)

// rank orders streams, lower first.
type rank struct{ major, minor uint64 }

func (r rank) compare(o rank) int {
	return cmp.Or(cmp.Compare(r.major, o.major), cmp.Compare(r.minor, o.minor))
}

// virtualUnit is how far a byte moves the virtual time of a stream of weight 1;
// it is a power of two above the largest weight, to keep fractions.
const virtualUnit = 1 << 16

// schedule holds the streams that have something to send, best first.
type schedule struct {
	kind    Scheduler
	streams byRank
	turns   uint64
	// virtual is the virtual time of weighted fair queueing (start-time fair
	// queueing): the place of the stream last served. Who was silent begins
	// there, without arrears.
	virtual uint64
}

// best returns the stream whose turn it is, nil when there is none.
func (q *schedule) best() *stream {
	if len(q.streams) == 0 {
		return nil
	}
	return q.streams[0]
}

// add enters a stream that is not in, or gives one that is in its new place.
func (q *schedule) add(s *stream) {
	q.turns++
	switch q.kind {
	case FirstComeFirstServed:
		s.rank = rank{s.head.arrival, 0}
	case RoundRobin:
		s.rank = rank{0, q.turns}
	case PriorityBased:
		s.rank = rank{uint64(s.value), q.turns}
	case WeightedFairQueueing:
		s.finish = max(s.finish, q.virtual)
		s.rank = rank{s.finish, q.turns}
	}
	if s.slot >= 0 {
		heap.Fix(&q.streams, s.slot)
	} else {
		heap.Push(&q.streams, s)
	}
}

// remove takes a stream out if it is in.
func (q *schedule) remove(s *stream) {
	if s.slot >= 0 {
		heap.Remove(&q.streams, s.slot)
	}
}

// serve books n bytes sent by a stream.
func (q *schedule) serve(s *stream, n int) {
	if q.kind == WeightedFairQueueing {
		q.virtual = max(q.virtual, s.rank.major)
		s.finish += uint64(n) * virtualUnit / uint64(max(s.value, 1))
	}
}

// byRank is a heap of streams that know their places in it.
type byRank []*stream

func (h byRank) Len() int           { return len(h) }
func (h byRank) Less(i, j int) bool { return h[i].rank.compare(h[j].rank) < 0 }
func (h byRank) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].slot, h[j].slot = i, j
}

func (h *byRank) Push(x any) {
	s := x.(*stream)
	s.slot = len(*h)
	*h = append(*h, s)
}

func (h *byRank) Pop() any {
	last := len(*h) - 1
	s := (*h)[last]
	s.slot = -1
	(*h)[last] = nil
	*h = (*h)[:last]
	return s
}
