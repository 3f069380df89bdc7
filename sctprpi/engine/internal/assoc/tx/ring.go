package tx

import (
	"math/bits"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// maxOutstanding bounds the chunks sent and not acknowledged cumulatively: a gap
// ack block can name no TSN further than that from the cumulative one. It keeps
// well within the bounds of RFC 9260, section 6.1, of 2³¹ − 1 TSNs and 2¹⁶ − 1
// ordered messages per stream. So many take 4.5 MiB.
const maxOutstanding = 1<<16 - 1

// chunkState is where an outstanding chunk stands.
type chunkState uint8

const (
	inFlight chunkState = iota
	lost                // to be retransmitted
	gapAcked            // by a gap ack block, which the peer may take back
)

// outstandingChunk is one that has been sent and is not acknowledged cumulatively yet.
type outstandingChunk struct {
	msg *message
	at  cursor // where in msg its payload begins
	// length is that of the payload, size that of the chunk with padding.
	length, size int32
	fsn          wire.FSN
	flags        wire.DataFlags
	state        chunkState
	path         PathID
	// resent: by Karn's algorithm it tells no round trip any more.
	// counted: the congestion control has been told of its acknowledgement.
	// moved: it has been sent again by a faster path though it was not lost.
	// markable: the packet that it was in first was.
	resent, counted, moved, markable bool
	sentAt                           time.Duration
	// packet numbers the packets of the path; this is the last one it was in.
	packet uint64
	// prev and next link the chunks in flight on a path.
	prev, next wire.TSN
}

// ring holds the outstanding chunks: those of the TSNs from base up to but not including end. It
// grows with their number, and gives up what it has beyond keptRing when there are
// none.
type ring struct {
	base, end wire.TSN
	slots
	lostCount int
	// sampled: what was so when chunks were sent is kept.
	sampled bool
	// slots is own, or what shared points to when own is too small.
	own    slots
	shared *slots
}

// slots is the memory of a ring.
type slots struct {
	// chunks has a power of two of places, or none; a TSN's is its low bits.
	chunks []outstandingChunk
	// lost has a bit set for each place whose chunk is to be retransmitted.
	lost []uint64
	// sent is how each chunk was sent last, if the ring is sampled; otherwise it may be shorter than chunks.
	sent []transmission
}

// The least places that a ring with anything in it has, and the most that it keeps
// when it is empty, which take 18 KiB.
const (
	minRing  = 8
	keptRing = 256
)

// spareSlots are slots that rings no longer need, all of them zero but for sent. The garbage collector frees
// those that are not used again.
var spareSlots = sync.Pool{New: func() any { return new(slots) }}

func newRing(first wire.TSN) ring { return ring{base: first, end: first} }

func (r *ring) len() int { return r.end.Sub(r.base) }

func (r *ring) slot(tsn wire.TSN) int { return int(tsn) & (len(r.chunks) - 1) }

// at returns the chunk of a TSN that the ring holds, until the next push.
func (r *ring) at(tsn wire.TSN) *outstandingChunk { return &r.chunks[r.slot(tsn)] }

// sample has the ring keep how chunks are sent from now on. It must be empty.
func (r *ring) sample() { r.sampled = true }

// sentAs returns how the chunk of a TSN was sent last, if the ring is sampled.
func (r *ring) sentAs(tsn wire.TSN) *transmission { return &r.sent[r.slot(tsn)] }

// push adds the chunk of the next TSN.
func (r *ring) push() (wire.TSN, *outstandingChunk) {
	if r.len() == len(r.chunks) {
		r.grow()
	}
	tsn := r.end
	r.end++
	return tsn, r.at(tsn)
}

func (r *ring) grow() {
	old := *r
	r.slots = r.larger()
	for tsn := old.base; tsn != old.end; tsn++ {
		c := old.at(tsn)
		*r.at(tsn), *c = *c, outstandingChunk{}
		if r.sampled {
			*r.sentAs(tsn) = *old.sentAs(tsn)
		}
		if old.isLost(tsn) {
			word, bit := r.lostBit(tsn)
			*word |= bit
		}
	}
	clear(old.slots.lost)
	if old.shared != nil {
		spareSlots.Put(old.shared)
	}
}

// larger returns at least twice as many slots.
func (r *ring) larger() slots {
	n := max(2*len(r.chunks), minRing)
	if n <= keptRing {
		r.own = makeSlots(n, r.sampled)
		return r.own
	}
	r.shared = spareSlots.Get().(*slots)
	if len(r.shared.chunks) < n {
		*r.shared = makeSlots(n, r.sampled)
	}
	if r.sampled && len(r.shared.sent) < len(r.shared.chunks) {
		r.shared.sent = make([]transmission, len(r.shared.chunks))
	}
	return *r.shared
}

func makeSlots(n int, sampled bool) slots {
	s := slots{chunks: make([]outstandingChunk, n), lost: make([]uint64, (n+63)/64)}
	if sampled {
		s.sent = make([]transmission, n)
	}
	return s
}

// pop takes out the chunk of base, which must not be lost.
func (r *ring) pop() {
	*r.at(r.base) = outstandingChunk{}
	r.base++
	if r.base == r.end && r.shared != nil {
		spareSlots.Put(r.shared)
		r.slots, r.shared = r.own, nil
	}
}

func (r *ring) lostBit(tsn wire.TSN) (*uint64, uint64) {
	slot := r.slot(tsn)
	return &r.lost[slot/64], 1 << (slot % 64)
}

func (r *ring) isLost(tsn wire.TSN) bool {
	word, bit := r.lostBit(tsn)
	return *word&bit != 0
}

// setLost and clearLost keep the set of TSNs to be retransmitted. A TSN must
// not be in it, or be in it.
func (r *ring) setLost(tsn wire.TSN) {
	word, bit := r.lostBit(tsn)
	*word |= bit
	r.lostCount++
}

func (r *ring) clearLost(tsn wire.TSN) {
	word, bit := r.lostBit(tsn)
	*word &^= bit
	r.lostCount--
}

// firstLost returns the lowest TSN to be retransmitted.
func (r *ring) firstLost() (wire.TSN, bool) {
	if r.lostCount == 0 {
		return 0, false
	}
	start := r.slot(r.base)
	// The slots before start, in the first word looked at, come last.
	word, mask := start/64, ^uint64(0)<<(start%64)
	for {
		if set := r.lost[word] & mask; set != 0 {
			slot := 64*word + bits.TrailingZeros64(set)
			return r.base + wire.TSN((slot-start)&(len(r.chunks)-1)), true
		}
		word = (word + 1) % len(r.lost)
		mask = ^uint64(0)
	}
}

// flightList holds the chunks in flight on one path in the order in which they
// were last sent, linked by prev and next.
type flightList struct {
	head, tail wire.TSN
	n          int
}

func (l *flightList) pushBack(r *ring, tsn wire.TSN) {
	if l.n == 0 {
		l.head = tsn
	} else {
		r.at(l.tail).next = tsn
		r.at(tsn).prev = l.tail
	}
	l.tail = tsn
	l.n++
}

func (l *flightList) remove(r *ring, tsn wire.TSN) {
	c := r.at(tsn)
	if tsn == l.head {
		l.head = c.next
	} else {
		r.at(c.prev).next = c.next
	}
	if tsn == l.tail {
		l.tail = c.prev
	} else {
		r.at(c.next).prev = c.prev
	}
	l.n--
}
