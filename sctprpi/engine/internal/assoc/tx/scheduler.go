package tx

import (
	"container/heap"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// rank orders streams, lower first: by priority, then by the virtual time in which
// they share, then in turn.
type rank struct {
	priority    uint16
	start, turn uint64
}

func (r rank) less(o rank) bool {
	if r.priority != o.priority {
		return r.priority < o.priority
	}
	if r.start != o.start {
		return r.start < o.start
	}
	return r.turn < o.turn
}

// virtualUnit is how far a byte moves the virtual time of a stream of weight 1;
// it is a power of two above the largest weight, to keep fractions.
const virtualUnit = 1 << 16

// schedule holds the streams that have something to send, best first ([RFC 8260, section 3]).
// It chooses anew after each message, and with interleaving after each chunk.
//
// [RFC 8260, section 3]: https://www.rfc-editor.org/rfc/rfc8260#section-3
type schedule struct {
	kind    socket.Scheduler
	streams byRank
	turns   uint64
	// classes are of streams that share by bytes: the one of weighted fair
	// queueing, or one for each priority that has ever been used, 65,536 at most.
	classes map[uint16]*class
}

// class is of streams that share by bytes (start-time fair queueing).
type class struct {
	key uint16
	// virtual is the virtual time: the place of the stream last served. A stream that had
	// nothing to send, or comes from another class, begins there, without arrears.
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
	case socket.FirstCome: // section 3.1
		s.rank = rank{turn: s.head().arrival}
	case socket.RoundRobin: // section 3.2
		s.rank = rank{turn: q.turns}
	case socket.Priority:
		// Section 3.4. Streams of the same priority share by bytes, as in the fair capacity
		// scheduler: in turn by message, a stream of small messages would get next to
		// nothing beside one of large ones, and pile up.
		s.rank = rank{priority: s.value, start: q.start(s), turn: q.turns}
	case socket.Weighted: // section 3.6, and with equal values 3.5
		s.rank = rank{start: q.start(s), turn: q.turns}
	}
	if s.slot >= 0 {
		heap.Fix(&q.streams, s.slot)
	} else {
		heap.Push(&q.streams, s)
	}
}

// pass books n bytes of a stream that sends them while no stream is in the schedule, as if it had been.
func (q *schedule) pass(s *stream, n int) {
	if q.kind == socket.Priority || q.kind == socket.Weighted {
		s.rank.start = q.start(s)
	}
	q.serve(s, n)
}

// start returns the virtual time at which a stream goes on in its class: that of its priority, or the only one.
func (q *schedule) start(s *stream) uint64 {
	key := uint16(0)
	if q.kind == socket.Priority {
		key = s.value
	}
	if s.class == nil || s.class.key != key {
		s.class, s.finish = q.class(key), 0
	}
	s.finish = max(s.finish, s.class.virtual)
	return s.finish
}

func (q *schedule) class(key uint16) *class {
	c := q.classes[key]
	if c == nil {
		if q.classes == nil {
			q.classes = make(map[uint16]*class)
		}
		c = &class{key: key}
		q.classes[key] = c
	}
	return c
}

// remove takes a stream out if it is in.
func (q *schedule) remove(s *stream) {
	if s.slot >= 0 {
		heap.Remove(&q.streams, s.slot)
	}
}

// serve books n bytes sent by a stream.
func (q *schedule) serve(s *stream, n int) {
	if s.class == nil {
		return
	}
	weight := uint64(1)
	if q.kind == socket.Weighted {
		weight = uint64(max(s.value, 1))
	}
	s.class.virtual = max(s.class.virtual, s.rank.start)
	s.finish += uint64(n) * virtualUnit / weight
}

// byRank is a heap of streams that know their places in it.
type byRank []*stream

func (h byRank) Len() int           { return len(h) }
func (h byRank) Less(i, j int) bool { return h[i].rank.less(h[j].rank) }
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

// SetStreamValue sets what the scheduler goes by: the weight of a stream, where 0
// is as 1, or its priority, where 0, the default, goes first. Other schedulers
// ignore it.
func (s *Sender) SetStreamValue(id socket.StreamID, value uint16) error {
	if err := s.checkStream(id); err != nil {
		return err
	}
	st := s.queue.streams.use(id)
	st.value = value
	if st.slot >= 0 {
		s.queue.schedule.add(st)
	}
	return nil
}
