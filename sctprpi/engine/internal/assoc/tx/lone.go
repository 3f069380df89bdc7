package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Lone is Queue and Next in one, for a message that goes at once and whole, with nothing else of the Sender's in its
// packet: as most short messages do. It passes the queue by, where the message would be alone. The Sender must be Idle.
//
// It returns false if the message is to be queued, or refused: then nothing has happened, and Queue and Next are to be
// called.
func (s *Sender) Lone(chunks []Chunk, now time.Duration, m *socket.Message, id PathID, room int) ([]Chunk, bool) {
	p := &s.paths[id]
	if p.paced != nil {
		p.pace(now)
	}
	size, lent := m.Len(), s.lends(m)
	switch {
	case s.queue.credits.limit > 0, s.window.probe.open, !s.released.Empty(): // there is more to do than to send
		return chunks, false
	case chunkSize(size, s.queue.interleaving) > min(room, s.maxChunk), s.window.fit(size) < size:
		return chunks, false
	case s.out.len() == maxOutstanding, !p.open(), s.fits(m.Stream, size, lent) != nil:
		return chunks, false
	}
	k := packetBuilder{Sender: s, path: p, id: id, now: now, room: room, start: len(chunks), chunks: chunks}
	k.markable = p.ecn.on
	q := s.take(now, m, size, lent)
	q.stream = s.queue.streams.use(m.Stream)
	q.stream.home = uint8(id) + 1
	s.queue.schedule.pass(q.stream, size)
	tsn, c := k.chunk(q, size)
	k.add(tsn, c)
	k.leave()
	if p.peak = p.flight; p.paced != nil {
		p.paced.rest()
	}
	return k.chunks, true
}

// LonePath is Choose for a message of a stream that Lone is to send: it returns the fastest path of a set, and false if that may not send
// now, so that Choose has to weigh slower ones.
func (s *Sender) LonePath(now time.Duration, of PathSet, stream socket.StreamID) (PathID, bool) {
	home := uint8(0)
	if st := s.queue.streams.Get(stream); st != nil {
		home = st.home
	}
	best, fast := s.fastest(now, of, home)
	for i := range s.paths { // which fastest has paced as if it were to send
		if p := &s.paths[i]; p.paced != nil && p != best {
			p.paced.rest()
		}
	}
	if best == nil || best != fast {
		return 0, false
	}
	return best.id, true
}
