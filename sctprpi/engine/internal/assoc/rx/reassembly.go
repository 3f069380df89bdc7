package rx

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/streams"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Reassembly makes messages of chunks and delivers them, piece by piece, each
// stream's ordered messages in order (RFC 9260, sections 6.5, 6.6 and 6.9; RFC
// 8260). Make it with New. Every chunk offered must be Fresh by a Tracker.
//
// What is held is bounded by Config.Buffer. A chunk that does not fit is refused,
// with one exception, without which a full buffer might stay full: if a reader has
// nothing to read, the chunk that gives it something is taken. Readers are Next and,
// for each stream on hold, NextOf, so that none depends on what another leaves unread.
// The buffer is exceeded by a chunk at most, and one more for each stream on hold, and by what
// the reader puts back.
// Nothing that has been
// taken is dropped later for want of room (no reneging). Unordered messages in
// part number at most a 256th of the buffer's bytes. A chunk in order takes
// constant time; one out of order time logarithmic in what waits with it, and has
// to move up to 8 bytes for each such chunk or message. When nothing is held, what a
// burst made it take is given up but for 32 KiB and the streams that have been used.
type Reassembly struct {
	config  Config
	shift   int // of an SSN in seq
	streams streamTable
	// ready are the streams that have something to deliver, in the order of their turns;
	// onHold those of them that only NextOf delivers. Of those that are due the peer is to
	// be told how much has been read. Of those that are untold it could be told more.
	// Of those that are fresh something has been received since the reader last came.
	ready, onHold, due, untold, fresh list.List[stream]

	held      account
	pool      streams.Pool // what the peer goes by
	unordered unorderedData
	// partial counts unordered messages in part.
	partial int
	follow  adjacency
	free    pool
}

// New returns a Reassembly that holds nothing.
func New(config Config) (*Reassembly, error) {
	if err := config.setDefaults(); err != nil {
		return nil, err
	}
	r := &Reassembly{config: config}
	r.streams.Extend(config.Streams)
	if config.Credit {
		r.pool = streams.NewPool(config.StreamLimit, config.StreamBase, config.StreamPool)
		// Without a limit there is nothing to tell.
		r.config.Credit = config.StreamLimit > 0 || r.pool.On()
	} else {
		// A peer that keeps to the limit by itself is not to be slowed down as a whole for
		// the message that it may have begun before.
		r.held.limit = config.StreamLimit
	}
	if !config.Interleaving {
		r.shift = 16
		r.follow = newAdjacency(config.InitialTSN, config.PartialReliability)
	}
	return r, nil
}

// Data takes a DATA chunk, whose payload lies in memory. See the package for what
// its errors ask for.
func (r *Reassembly) Data(d *wire.Data, memory socket.Memory) error {
	s, err := r.streamOf(d.Stream, d.Payload, false)
	if err != nil {
		return err
	}
	if err = r.follow.check(d); err != nil {
		return err
	}
	c := chunk{
		flags: d.Flags, seq: uint32(d.SSN) << r.shift, pos: uint32(d.TSN), mid: wire.MID(d.SSN),
		ppid: d.PPID, payload: d.Payload, memory: memory,
	}
	if d.Flags&wire.FlagUnordered != 0 {
		c.mid = wire.MID(d.TSN)
		err = r.addUnorderedData(s, &c)
	} else {
		err = r.addOrdered(s, &c)
	}
	if err == nil {
		r.follow.put(d)
	}
	return err
}

// IData takes an I-DATA chunk as Data does a DATA chunk. That a chunk's unordered
// message has been completed before goes unnoticed: it is another message.
func (r *Reassembly) IData(d *wire.IData, memory socket.Memory) error {
	s, err := r.streamOf(d.Stream, d.Payload, true)
	if err != nil {
		return err
	}
	c := chunk{
		flags: d.Flags, seq: uint32(d.MID), pos: uint32(d.FSN), mid: d.MID,
		ppid: d.PPID, payload: d.Payload, memory: memory,
	}
	if d.Flags&wire.FlagUnordered != 0 {
		return r.addUnorderedIData(s, &c)
	}
	return r.addOrdered(s, &c)
}

// streamOf returns the stream of a chunk that may be one of the association.
func (r *Reassembly) streamOf(id socket.StreamID, payload []byte, interleaving bool) (*stream, error) {
	switch {
	case interleaving != r.config.Interleaving:
		return nil, ErrInterleaving
	case len(payload) == 0:
		return nil, wire.ErrNoUserData
	}
	s := r.streams.use(id)
	if s == nil {
		return nil, ErrStream
	}
	return s, nil
}

// hold makes a fragment of a chunk that has been admitted.
func (r *Reassembly) hold(s *stream, c *chunk) *fragment {
	f := r.keep(s, c)
	if r.config.Credit {
		f.charge = wire.StreamCharge(len(c.payload))
		r.received(s, f.charge)
	}
	return f
}

// keep makes a fragment that has no charge.
func (r *Reassembly) keep(s *stream, c *chunk) *fragment {
	f := r.free.fragment()
	f.stream, f.flags, f.pos, f.mid, f.ppid, f.payload, f.memory = s, c.flags, c.pos, c.mid, c.ppid, c.payload, c.memory
	r.held.change(s, len(f.payload), 1)
	return f
}

// drop releases a fragment.
func (r *Reassembly) drop(f *fragment) {
	r.held.change(f.stream, -len(f.payload), -1)
	r.credits(f.stream, f.charge)
	if f.memory != nil {
		f.memory.Release()
	}
	r.free.putFragment(f)
}

// single makes a message that is one chunk ready.
func (r *Reassembly) single(s *stream, c *chunk) {
	f := r.hold(s, c)
	s.ready.Push(f, &f.link)
	r.line(s).Push(s, &s.place)
}

// flush makes ready what of a message can be delivered now that its turn has come,
// and reports whether that was all of it.
func (r *Reassembly) flush(m *message) bool {
	if r.config.Whole && !m.complete {
		return false
	}
	if !m.prefix.Empty() {
		m.begun = true
		m.stream.ready.Append(&m.prefix)
		r.line(m.stream).Push(m.stream, &m.stream.place)
	}
	return m.complete
}

// abort drops what is held of a message and ends its delivery if it has begun.
func (r *Reassembly) abort(m *message) {
	for !m.prefix.Empty() {
		r.drop(m.prefix.Pop())
	}
	for _, f := range m.later {
		r.drop(f)
	}
	m.later = cut(m.later, 0, len(m.later))
	if m.begun {
		f := r.keep(m.stream, &chunk{flags: m.flags, mid: m.mid, ppid: m.ppid})
		f.aborted = true
		m.stream.ready.Push(f, &f.link)
		r.line(m.stream).Push(m.stream, &m.stream.place)
	}
	r.free.putMessage(m)
}
