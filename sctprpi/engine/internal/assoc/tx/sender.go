package tx

import (
	"fmt"
	"math"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Sender is the sending half of an association. Make it with New, give it a path
// with AddPath, and after each call of Queue, Sack, CumulativeAck and Expire ask
// Next for packets until it has none, NextRelease for messages that are done
// with, and Deadline for when to call Expire.
type Sender struct {
	config Config
	queue  sendQueue
	out    ring
	// gaps are the spans of TSNs that the last SACK acknowledged beyond the
	// cumulative one, with Config.Multipath those of all SACKs; spare and union are
	// memory of earlier lists.
	gaps, spare, union []span
	window             peerWindow
	paths              []path
	coupling           *coupling // with Config.Multipath
	// maxChunk is AMDCS, the smallest PMDCS of the paths; lastPath the one
	// last sent on.
	maxChunk int
	lastPath PathID
	markable bool // see Markable

	pool     messagePool
	released list.List[message]
	buffered int // what all messages take of the send buffer
	unacked  int // bytes sent and not acknowledged cumulatively
	wanted   int // the longest message that Queue refused, with its charge
	dropped  func(*message)
	progress Progress
	stats    Stats
}

// New returns a Sender without paths.
func New(config Config) (*Sender, error) {
	if err := config.setDefaults(); err != nil {
		return nil, err
	}
	s := &Sender{
		config:   config,
		queue:    newSendQueue(&config),
		out:      newRing(config.InitialTSN),
		window:   peerWindow{probe: noProbe},
		maxChunk: math.MaxInt,
	}
	if config.Multipath {
		s.coupling = new(coupling)
	}
	s.window.update(config.PeerWindow)
	s.dropped = s.expire // once, since a method value allocates
	return s, nil
}

// MessageCharge is what the send buffer counts for keeping a message, on top of its
// bytes, so that it bounds memory for tiny messages too.
const MessageCharge = 256

const (
	// The largest chunk is one whose length field is at its limit; the
	// smallest must hold a reasonable piece of a message.
	largestChunk  = math.MaxUint16 &^ 3
	smallestChunk = 64
)

// AddPath adds a path, whose packets have room for a DATA chunk of maxChunk bytes
// with header and padding (PMDCS), and returns its number, counted from 0. More
// than fits a chunk's length field is not used.
func (s *Sender) AddPath(maxChunk int) (PathID, error) {
	if len(s.paths) == MaxPaths {
		return 0, fmt.Errorf("tx: more than %d paths", MaxPaths)
	}
	if maxChunk < smallestChunk {
		return 0, fmt.Errorf("tx: room for chunks of %d bytes, must be at least %d", maxChunk, smallestChunk)
	}
	rto, err := NewRTO(s.config.RTO)
	if err != nil {
		return 0, err
	}
	maxChunk = min(maxChunk, largestChunk)
	p := path{
		id:         PathID(len(s.paths)),
		maxChunk:   maxChunk,
		rto:        rto,
		congestion: s.config.NewController(maxChunk),
		timers:     noTimers,
		progress:   pathProgress{low: s.out.end, high: s.out.end - 1},
	}
	p.ecn = newECN(s.config.ECN, p.congestion, s.out.end)
	if control, ok := p.congestion.(RateController); ok {
		p.paced = &paced{control: control, at: never, next: -time.Hour}
		s.out.sample()
	}
	p.allow(0, s.config.MaxBurst)
	s.paths = append(s.paths, p)
	if s.config.Multipath {
		s.coupling.add()
	}
	s.maxChunk = min(s.maxChunk, maxChunk)
	s.queue.credits.setPiece(s.largestPayload())
	return PathID(len(s.paths) - 1), nil
}

// SetMaxChunk changes PMDCS of a path after its MTU has changed. Chunks that were
// made before keep their size: Next gives those that have become too large one
// by one, to be sent with IP fragmentation (RFC 9260, section 6.9).
func (s *Sender) SetMaxChunk(id PathID, maxChunk int) {
	p := &s.paths[id]
	p.maxChunk = min(max(maxChunk, smallestChunk), largestChunk)
	p.congestion.SetMaxChunk(p.maxChunk)
	s.maxChunk = math.MaxInt
	for i := range s.paths {
		s.maxChunk = min(s.maxChunk, s.paths[i].maxChunk)
	}
	s.queue.credits.setPiece(s.largestPayload())
	if s.queue.credits.shared() {
		s.goOn()
	}
}

// largestPayload returns how many bytes of user data fit a packet to any path.
func (s *Sender) largestPayload() int { return s.maxChunk&^3 - headerSize(s.queue.interleaving) }

// Queue takes a message to be sent, and copies it unless it is lent. Errors leave it to the
// caller: socket.ErrStream, ErrEmpty and ErrTooLong for ever; ErrWouldBlock while the send
// buffer is full, and ErrStreamFull, which is an ErrWouldBlock too, while the peer leaves the
// stream unread and enough waits for it. Writable tells when to try again.
func (s *Sender) Queue(now time.Duration, m *socket.Message) error {
	size, lent := m.Len(), s.lends(m)
	if err := s.admit(now, m.Stream, size, lent); err != nil {
		return err
	}
	s.enqueue(now, m, size, lent)
	return nil
}

// QueueAccepted is Queue for a message that was accepted before the peer's limit for each
// stream was known: it is never refused with ErrStreamFull. Its bytes take part of the send
// buffer, since it may have been copied.
func (s *Sender) QueueAccepted(now time.Duration, m *socket.Message) error {
	size := m.Len()
	if err := s.fits(m.Stream, size, false); err != nil {
		return err
	}
	s.enqueue(now, m, size, false)
	return nil
}

// lends reports whether only the charge of a message, and not its bytes, takes part of the
// send buffer: it is in the user's memory, and does not keep other streams from sending.
func (s *Sender) lends(m *socket.Message) bool { return m.ZeroCopy && s.config.Interleaving }

// chargeOf is what a message of size bytes takes of the send buffer.
func chargeOf(size int, lent bool) int {
	if lent {
		return MessageCharge
	}
	return size + MessageCharge
}

// admit returns the error of Queue for a message of size bytes on a stream.
func (s *Sender) admit(now time.Duration, id socket.StreamID, size int, lent bool) error {
	if err := s.fits(id, size, lent); err != nil {
		return err
	}
	st := s.queue.streams.Get(id)
	if st != nil && st.credit != nil && s.queue.credits.refuse(st, size, chargeOf(size, lent)) {
		s.credited(now, st)
		return socket.ErrStreamFull
	}
	return nil
}

// fits returns the error of a message that is empty, of no stream, or finds no room in the
// send buffer.
func (s *Sender) fits(id socket.StreamID, size int, lent bool) error {
	if err := s.checkStream(id); err != nil {
		return err
	}
	charge := chargeOf(size, lent)
	switch {
	case size == 0:
		return socket.ErrEmpty
	case charge > s.config.SendBuffer || size < 0: // more than an int can hold
		return fmt.Errorf("%w: %d bytes of at most %d", socket.ErrTooLong, size, s.config.SendBuffer-MessageCharge)
	case s.buffered+charge > s.config.SendBuffer:
		s.wanted = max(s.wanted, charge)
		return socket.ErrWouldBlock
	}
	return nil
}

// enqueue takes a message that has been admitted, and queues it.
func (s *Sender) enqueue(now time.Duration, m *socket.Message, size int, lent bool) {
	q := s.take(now, m, size, lent)
	s.queue.push(m.Stream, q)
	s.credited(now, q.stream)
}

// take takes a message that has been admitted, and lets out another burst for it.
func (s *Sender) take(now time.Duration, m *socket.Message, size int, lent bool) *message {
	s.buffered += chargeOf(size, lent)
	q := s.pool.get()
	q.data, q.owner, q.ppid, q.unordered, q.immediate = m.Data, m.Owner, m.PPID, m.Unordered, m.Immediate
	if !m.ZeroCopy && s.config.Copy != nil {
		q.data, q.owner = s.config.Copy(m.Data, size)
	}
	q.size, q.lent, q.unacked, q.expires = size, lent, size, never
	if m.Lifetime > 0 {
		q.expires = now + m.Lifetime
	}
	for i := range s.paths {
		s.paths[i].allow(0, s.config.MaxBurst)
	}
	return q
}

// Writable reports, once after Queue has returned ErrWouldBlock, that there is
// room again for the longest message that it refused, and for a quarter of the
// send buffer, so that a full buffer does not wake its user for each message; and
// after ErrStreamFull, that it is worth another try.
func (s *Sender) Writable() bool {
	if s.queue.credits.roomy {
		s.queue.credits.roomy = false
		return true
	}
	free := s.config.SendBuffer - s.buffered
	if s.wanted == 0 || free < max(s.wanted, s.config.SendBuffer/4) {
		return false
	}
	s.wanted = 0
	return true
}

// NextRelease returns the next message that is done with. Acknowledged ones come
// in the order in which their last chunks were first sent, which within a stream
// is the one in which they were queued.
func (s *Sender) NextRelease() (Release, bool) {
	m := s.released.Pop()
	if m == nil {
		return Release{}, false
	}
	r := Release{m.owner, m.outcome}
	s.pool.put(m)
	return r, true
}

// release gives m, which is in no stream any more, back to its owner.
func (s *Sender) release(m *message, outcome socket.Outcome) {
	m.outcome = outcome
	m.data = nil
	s.released.Push(m, &m.link)
	s.buffered -= m.charge()
}

func (s *Sender) expire(m *message) {
	s.stats.Expired++
	if c := m.stream.credit; c != nil {
		q := &s.queue.credits
		q.book(m.stream)
		if q.shared() && c.refused { // it may have left the schedule and be in no line
			q.retry(c)
		}
	}
	s.release(m, socket.Expired)
}

// Close releases all messages and stops all timers: the association is no more.
// No message may be queued afterwards.
func (s *Sender) Close() {
	for ; s.out.len() > 0; s.out.pop() {
		c := s.out.at(s.out.base)
		if c.state == lost {
			s.out.clearLost(s.out.base)
		}
		if m := s.settle(c); m.unacked == 0 {
			s.release(m, socket.Unacknowledged)
		}
	}
	s.queue.clear(func(m *message) {
		if m.cut > 0 {
			s.release(m, socket.Unacknowledged)
		} else {
			s.release(m, socket.Unsent)
		}
	})
	s.gaps = s.gaps[:0]
	s.window.inFlight, s.window.chunks, s.window.probe = 0, 0, noProbe
	for i := range s.paths {
		p := &s.paths[i]
		p.inFlight, p.flight, p.progress.waiting = flightList{}, 0, 0
		p.timers, p.tail, p.recovery = noTimers, tailProbe{}, recovery{}
		if p.paced != nil {
			p.paced.at = never
		}
	}
}

// settle books that a chunk is outstanding no more, and returns its message.
func (s *Sender) settle(c *outstandingChunk) *message {
	n := int(c.length)
	s.unacked -= n
	c.msg.unacked -= n
	return c.msg
}

// Drained reports whether everything queued has been acknowledged.
func (s *Sender) Drained() bool { return s.buffered == 0 }
