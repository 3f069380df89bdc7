package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// Next appends to chunks those that one packet to a path is to carry now, and
// none if nothing may be sent there: what is to be retransmitted first, lowest
// TSN first, then new data as the congestion window of the path and the peer's
// receive window allow.
//
// room is how much of the packet is left for them, in bytes. A packet in which
// nothing else is should be offered when a fuller one got no chunk. Only a single
// chunk may be larger than room, after the path's MTU has shrunk.
func (s *Sender) Next(chunks []Chunk, now time.Duration, id PathID, room int) []Chunk {
	p := &s.paths[id]
	k := packetBuilder{Sender: s, path: p, id: id, now: now, room: room, start: len(chunks), chunks: chunks}
	k.markable = p.ecn.on && !s.window.probe.due && !s.window.probe.open
	if p.paced != nil {
		p.pace(now)
	}
	switch {
	case p.open():
		if k.retransmit() {
			k.fill()
		}
		if !k.sent() && s.config.Multipath {
			k.overtake()
		}
	case p.recovery.rescue && s.out.lostCount > 0:
		k.retransmit()
	case p.tail.due:
		if k.retransmit() {
			k.fill()
		}
	}
	if p.tail.due {
		k.probe()
	}
	switch {
	case k.sent():
		k.leave()
	case p.paced != nil:
		s.await(now, p)
	}
	p.peak = p.flight
	s.watchWindow(now)
	return k.chunks
}

// Idle reports whether there is nothing to be sent on any path, nor to be given back. It counts
// as having asked Next for packets to all of them, and takes a fraction of the time.
func (s *Sender) Idle() bool {
	if s.queue.schedule.best() != nil || s.queue.current != nil || s.out.lostCount > 0 ||
		s.window.probe.at != never || s.window.probe.due || !s.released.Empty() {
		return false
	}
	for i := range s.paths {
		p := &s.paths[i]
		if p.tail.due {
			return false
		}
		p.peak = p.flight
		if p.paced != nil {
			p.paced.rest()
		}
	}
	return true
}

// packetBuilder puts the chunks of one packet together, for Next.
type packetBuilder struct {
	*Sender
	path   *path
	id     PathID
	now    time.Duration
	room   int
	start  int
	chunks []Chunk
}

func (k *packetBuilder) sent() bool { return len(k.chunks) > k.start }

// leave notes that the packet leaves.
func (k *packetBuilder) leave() {
	p := k.path
	k.lastPath = k.id
	p.recovery.rescue, p.tail.due = false, false
	p.lastSent = k.now
	k.arm(k.now, p)
}

// retransmit adds what is to be retransmitted and reports whether it was all.
func (k *packetBuilder) retransmit() bool {
	for {
		tsn, ok := k.out.firstLost()
		if !ok {
			return true
		}
		c := k.out.at(tsn)
		if !k.fits(c) {
			return false
		}
		k.found(tsn, c)
		k.paths[c.path].spurious.resend(tsn, k.now+k.path.rto.Timeout())
		k.resend(tsn, c)
	}
}

// fits reports whether there is room for a chunk made before. One that has become
// too large for any packet of the path goes alone.
func (k *packetBuilder) fits(c *outstandingChunk) bool {
	size, largest := int(c.size), k.path.maxChunk
	return size <= k.room || size > largest && k.room >= largest && !k.sent()
}

// resend adds a chunk that is in no list.
func (k *packetBuilder) resend(tsn wire.TSN, c *outstandingChunk) {
	c.resent = true
	c.markable = c.markable && c.path == k.id
	k.markable = false
	k.stats.Retransmissions++
	k.add(tsn, c)
}

// fill adds new data.
func (k *packetBuilder) fill() {
	for k.out.len() < maxOutstanding {
		st := k.peek(k.now)
		if st == nil {
			return
		}
		n := k.queue.credits.cap(st, k.payload(st.head().rest()))
		if !k.window.probe.due {
			n = k.window.fit(n)
		}
		if n == 0 {
			return
		}
		k.cut(st, n)
	}
}

// peek returns the stream that may send next, nil if there is none. One that waits for others
// to be read, since they have been faster, is taken out of the schedule.
func (s *Sender) peek(now time.Duration) *stream {
	q := &s.queue.credits
	for {
		st := s.queue.peek(now, s.dropped)
		switch {
		case !q.shared():
			return st
		case st == nil:
			if !s.goOn() {
				return nil
			}
		case q.blocks(st):
			s.queue.schedule.remove(st)
			s.credited(now, st)
		default:
			return st
		}
	}
}

// payload returns how much of the rest of a message may go into the packet, 0 if
// it should wait for the next one. What fits a packet of its own is not torn
// apart to fill up another, nor is a sliver cut off a longer one.
func (k *packetBuilder) payload(rest int) int {
	header := headerSize(k.queue.interleaving)
	full := k.largestPayload()
	limit := min(k.room, k.maxChunk)&^3 - header
	switch {
	case rest <= limit:
		return rest
	case limit < full/4, k.sent() && rest <= full:
		return 0
	}
	return limit
}

// cut makes a chunk of the next n bytes of a stream's oldest message.
func (k *packetBuilder) cut(st *stream, n int) {
	tsn, c := k.chunk(st.head(), n)
	k.queue.cut(st, n)
	st.home = uint8(k.id) + 1
	k.credited(k.now, st)
	if k.window.probe.due {
		k.window.probe.due, k.window.probe.open = false, true
		k.stats.WindowProbes++
	}
	k.add(tsn, c)
}

// chunk makes an outstanding chunk of the next n bytes of a message.
func (k *packetBuilder) chunk(m *message, n int) (wire.TSN, *outstandingChunk) {
	var flags wire.DataFlags
	if m.unordered {
		flags |= wire.FlagUnordered
	}
	if m.cut == 0 {
		m.stream.number(m)
		flags |= wire.FlagBegin
	}
	if n == m.rest() {
		flags |= wire.FlagEnd
		if m.immediate {
			flags |= wire.FlagImmediate
		}
	}
	tsn, c := k.out.push()
	*c = outstandingChunk{
		msg: m, at: m.at, length: int32(n), size: int32(chunkSize(n, k.queue.interleaving)),
		fsn: m.fsn, flags: flags, markable: k.markable,
	}
	k.unacked += n
	return tsn, c
}

// probe makes the packet a tail-loss probe: if it has no new data, the chunk last
// sent goes again.
func (k *packetBuilder) probe() {
	t := &k.path.tail
	if k.path.recovery.on || k.path.inFlight.n == 0 {
		t.due = false // overtaken by events
		return
	}
	resent := !k.sent()
	if resent {
		tsn := k.path.inFlight.tail
		c := k.out.at(tsn)
		if !k.fits(c) {
			return
		}
		k.removeFromFlight(k.path, tsn)
		k.resend(tsn, c)
	}
	k.path.stats.TailProbes++
	last := &k.chunks[len(k.chunks)-1]
	last.Flags |= wire.FlagImmediate
	*t = tailProbe{open: true, resent: resent, chunk: last.TSN, end: k.out.end - 1}
}

// add puts a chunk into the packet and in flight.
func (k *packetBuilder) add(tsn wire.TSN, c *outstandingChunk) {
	if !k.sent() {
		k.path.wake(k.now)
		k.path.lastPacket++
	}
	c.state, c.path, c.sentAt, c.packet = inFlight, k.id, k.now, k.path.lastPacket
	k.markInFlight(k.path, tsn)
	if k.path.paced != nil {
		k.path.depart(k.now, c, k.out.sentAs(tsn))
	}
	k.path.burst -= int(c.size)
	k.room -= int(c.size)
	k.stats.Chunks++
	chunk := describe(tsn, c, k.queue.interleaving)
	k.window.probe.send()
	if k.window.probe.open || k.path.collapsed {
		// All waits for this one's SACK.
		chunk.Flags |= wire.FlagImmediate
	}
	k.chunks = append(k.chunks, chunk)
}

// markInFlight puts an outstanding chunk in flight on a path, removeFromFlight takes it out.
func (s *Sender) markInFlight(p *path, tsn wire.TSN) {
	c := s.out.at(tsn)
	p.progress.sent(tsn, p.outstanding())
	p.inFlight.pushBack(&s.out, tsn)
	p.flight += int(c.size)
	s.window.inFlight += int(c.length)
	s.window.chunks++
}

func (s *Sender) removeFromFlight(p *path, tsn wire.TSN) {
	c := s.out.at(tsn)
	if tsn == p.inFlight.head {
		p.oldestGone = true
	}
	p.inFlight.remove(&s.out, tsn)
	p.flight -= int(c.size)
	s.window.inFlight -= int(c.length)
	s.window.chunks--
}

// Retransmission returns the path on which the next chunk to be retransmitted was
// last sent, so that another one can be asked for it (RFC 9260, section 6.4), and
// false if nothing is to be retransmitted.
func (s *Sender) Retransmission() (PathID, bool) {
	tsn, ok := s.out.firstLost()
	if !ok {
		return 0, false
	}
	return s.out.at(tsn).path, true
}
