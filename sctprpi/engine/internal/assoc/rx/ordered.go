package rx

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// addOrdered takes a chunk of an ordered message.
func (r *Reassembly) addOrdered(s *stream, c *chunk) error {
	turn := c.seq == s.next
	if turn && len(s.ordered) == 0 && c.flags&whole == whole {
		if err := r.admit(s, c, true, true); err != nil {
			return err
		}
		r.single(s, c)
		s.next += 1 << r.shift
		return nil
	}
	if before(c.seq, s.next) < 0 {
		return r.old(s, c)
	}
	m, err := r.join(s, &s.ordered, s.next, c, turn)
	if err != nil {
		return err
	}
	m.add(r.hold(s, c))
	if turn {
		r.takeTurns(s)
	}
	return nil
}

// old takes a chunk of a message that is over. One that has been skipped may have
// been overtaken by its FORWARD TSN.
func (r *Reassembly) old(s *stream, c *chunk) error {
	if !r.config.PartialReliability {
		return ErrOldMessage
	}
	charge := wire.StreamCharge(len(c.payload))
	r.received(s, charge)
	r.credits(s, charge)
	if c.memory != nil {
		c.memory.Release()
	}
	return nil
}

// join returns the message of a lane that a chunk belongs to, a new one if it is
// the first, when the chunk is valid and there is room for it.
func (r *Reassembly) join(s *stream, l *lane, base uint32, c *chunk, turn bool) (*message, error) {
	i, found := l.find(c.seq, base)
	if r.config.Interleaving && !c.begin() && !(found && (*l)[i].known) {
		switch {
		case c.pos == 0:
			return nil, ErrNoBegin
		case before(c.pos, 0) < 0:
			return nil, ErrFarAhead
		}
	}
	if found {
		m := (*l)[i]
		if err := m.check(c); err != nil {
			return nil, err
		}
		expected := turn && m.expects(c)
		return m, r.admit(s, c, expected, expected && m.completes(c))
	}
	if err := r.admit(s, c, turn && c.begin(), c.end()); err != nil {
		return nil, err
	}
	m := r.free.message()
	m.stream, m.seq, m.mid, m.flags = s, c.seq, c.mid, c.flags&wire.FlagUnordered
	*l = slices.Insert(*l, i, m)
	return m, nil
}

// takeTurns delivers ordered messages as far as it goes.
func (r *Reassembly) takeTurns(s *stream) {
	done := 0
	for _, m := range s.ordered {
		if m.seq != s.next || !r.flush(m) {
			break
		}
		r.free.putMessage(m)
		s.next += 1 << r.shift
		done++
	}
	s.ordered = cut(s.ordered, 0, done)
}

// skipOrdered delivers what is complete of a stream's ordered messages up to last,
// gives up the others, and goes on after that (RFC 3758, section 3.6).
func (r *Reassembly) skipOrdered(s *stream, last uint32) {
	if before(last, s.next) < 0 {
		return
	}
	done := 0
	for _, m := range s.ordered {
		if before(last, m.seq) < 0 {
			break
		}
		if m.complete && r.flush(m) {
			r.free.putMessage(m)
		} else {
			r.abort(m)
		}
		done++
	}
	s.ordered = cut(s.ordered, 0, done)
	s.next = last + 1<<r.shift
	r.takeTurns(s)
}
