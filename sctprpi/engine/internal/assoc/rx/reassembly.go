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
	if err := r.check(d.Stream, d.Payload, false); err != nil {
		return err
	}
	if err := r.follow.check(d); err != nil {
		return err
	}
	c := chunk{
		flags: d.Flags, seq: uint32(d.SSN) << r.shift, pos: uint32(d.TSN),
		ppid: d.PPID, payload: d.Payload, memory: memory,
	}
	var err error
	if s := r.streams.use(d.Stream); d.Flags&wire.FlagUnordered != 0 {
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
	if err := r.check(d.Stream, d.Payload, true); err != nil {
		return err
	}
	c := chunk{
		flags: d.Flags, seq: uint32(d.MID), pos: uint32(d.FSN),
		ppid: d.PPID, payload: d.Payload, memory: memory,
	}
	if s := r.streams.use(d.Stream); d.Flags&wire.FlagUnordered != 0 {
		return r.addUnorderedIData(s, &c)
	} else {
		return r.addOrdered(s, &c)
	}
}

func (r *Reassembly) check(id socket.StreamID, payload []byte, interleaving bool) error {
	switch {
	case interleaving != r.config.Interleaving:
		return ErrInterleaving
	case len(payload) == 0:
		return wire.ErrNoUserData
	case !r.streams.Has(id):
		return ErrStream
	}
	return nil
}

// mid returns the number of an ordered message or one of I-DATA chunks.
func (r *Reassembly) mid(seq uint32) wire.MID { return wire.MID(seq >> r.shift) }

// hold makes a fragment of a chunk that has been admitted.
func (r *Reassembly) hold(s *stream, c *chunk) *fragment {
	f := r.keep(s, c)
	f.charge = wire.StreamCharge(len(c.payload))
	r.received(s, f.charge)
	return f
}

// keep makes a fragment that has no charge.
func (r *Reassembly) keep(s *stream, c *chunk) *fragment {
	f := r.free.fragment()
	f.stream, f.flags, f.pos, f.ppid, f.payload, f.memory = s, c.flags, c.pos, c.ppid, c.payload, c.memory
	r.held.add(s, len(f.payload), r.overdrawn())
	return f
}

// drop releases a fragment.
func (r *Reassembly) drop(f *fragment) {
	r.held.remove(f.stream, len(f.payload), r.overdrawn())
	r.credits(f.stream, f.charge)
	if f.memory != nil {
		f.memory.Release()
	}
	r.free.putFragment(f)
}

// single makes a message that is one chunk ready.
func (r *Reassembly) single(s *stream, c *chunk, mid wire.MID) {
	f := r.hold(s, c)
	f.mid = mid
	s.ready.Push(f, &f.link)
	r.enter(s)
}

// enter puts a stream that has something to deliver in its line.
func (r *Reassembly) enter(s *stream) { r.line(s).Push(s, &s.place) }

// flush makes ready what of a message can be delivered now that its turn has come,
// and reports whether that was all of it.
func (r *Reassembly) flush(m *message) bool {
	if r.config.Whole && !m.complete {
		return false
	}
	if !m.prefix.Empty() {
		m.begun = true
		m.stream.ready.Append(&m.prefix)
		r.enter(m.stream)
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
		f := r.keep(m.stream, &chunk{flags: m.flags, ppid: m.ppid})
		f.mid, f.aborted = m.mid, true
		m.stream.ready.Push(f, &f.link)
		r.enter(m.stream)
	}
	r.free.putMessage(m)
}
