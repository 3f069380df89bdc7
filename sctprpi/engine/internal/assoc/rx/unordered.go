package rx

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// addUnorderedIData takes an I-DATA chunk of an unordered message.
func (r *Reassembly) addUnorderedIData(s *stream, c *chunk) error {
	if before(c.seq, s.floor) < 0 {
		return r.old(s, c)
	}
	s.raiseFloor(c.seq)
	_, found := s.unordered.find(c.seq, s.floor)
	if !found && c.flags&whole == whole {
		if err := r.admit(s, c, true, true); err != nil {
			return err
		}
		r.single(s, c)
		return nil
	}
	if !found && r.full() {
		return ErrTooManyPartial
	}
	m, err := r.join(s, &s.unordered, s.floor, c, true)
	if err != nil {
		return err
	}
	if !found {
		r.partial++
	}
	m.add(r.hold(s, c))
	if r.flush(m) {
		i, _ := s.unordered.find(c.seq, s.floor)
		s.unordered = cut(s.unordered, i, i+1)
		r.partial--
		r.free.putMessage(m)
	}
	return nil
}

func (r *Reassembly) full() bool { return r.partial >= r.config.Buffer/chunkCharge }

// skipUnorderedIData gives up a stream's unordered messages up to last, and what may
// still arrive of them: the messages before last have TSNs before its, so all of
// them have been completed or given up.
func (r *Reassembly) skipUnorderedIData(s *stream, last uint32) {
	if before(last, s.floor) < 0 {
		return
	}
	done := 0
	for _, m := range s.unordered {
		if before(last, m.seq) < 0 {
			break
		}
		r.abort(m)
		done++
	}
	r.partial -= done
	s.unordered = cut(s.unordered, 0, done)
	s.floor = last + 1
}

// unorderedData are the unordered messages of DATA chunks, of all streams: having no number,
// their fragments are told apart by their TSNs alone.
type unorderedData struct {
	// messages are those whose first fragment has arrived, by the TSN that they
	// go on at; fragments are those that do not follow on any of these, by TSN.
	messages  []*message
	fragments []*fragment
}

// find returns where in messages the one that goes on at tsn is or belongs.
func (u *unorderedData) find(tsn uint32) (int, bool) {
	if n := len(u.messages); n == 0 || before(u.messages[n-1].next, tsn) < 0 {
		return n, false
	}
	return slices.BinarySearchFunc(u.messages, tsn, func(m *message, tsn uint32) int { return before(m.next, tsn) })
}

// ends reports whether what follows c, which is expected, has the last fragment of
// its message.
func (u *unorderedData) ends(c *chunk) bool {
	if c.end() {
		return true
	}
	i, _ := search(u.fragments, c.pos)
	for n, f := range u.fragments[i:] {
		if f.pos != c.pos+1+uint32(n) {
			return false
		}
		if f.flags&wire.FlagEnd != 0 {
			return true
		}
	}
	return false
}

// addUnorderedData takes a DATA chunk of an unordered message.
func (r *Reassembly) addUnorderedData(s *stream, c *chunk) error {
	i, found := r.unordered.find(c.pos)
	if found && c.begin() {
		// Only a peer that abandons messages sends a first fragment there: what
		// is before it will not go on.
		r.abortUnorderedData(i)
		found = false
	}
	if c.flags&whole == whole {
		if err := r.admit(s, c, true, true); err != nil {
			return err
		}
		r.single(s, c)
		return nil
	}
	expected := found || c.begin()
	if c.begin() && r.full() {
		return ErrTooManyPartial
	}
	if err := r.admit(s, c, expected, expected && r.unordered.ends(c)); err != nil {
		return err
	}
	f := r.hold(s, c)
	if !expected {
		j, _ := search(r.unordered.fragments, c.pos)
		r.unordered.fragments = slices.Insert(r.unordered.fragments, j, f)
		return nil
	}
	if !found {
		m := r.free.message()
		m.stream, m.mid, m.flags, m.ppid = s, c.mid, wire.FlagUnordered, c.ppid
		r.unordered.messages = slices.Insert(r.unordered.messages, i, m)
		r.partial++
	}
	r.extend(i, f)
	return nil
}

// extend appends a fragment to an unordered message, and those that follow.
func (r *Reassembly) extend(i int, f *fragment) {
	m := r.unordered.messages[i]
	m.append(f)
	j, _ := search(r.unordered.fragments, m.next)
	n := m.drain(r.unordered.fragments[j:])
	r.unordered.fragments = cut(r.unordered.fragments, j, j+n)
	if r.flush(m) {
		r.unordered.messages = cut(r.unordered.messages, i, i+1)
		r.partial--
		r.free.putMessage(m)
	}
}

func (r *Reassembly) abortUnorderedData(i int) {
	r.abort(r.unordered.messages[i])
	r.unordered.messages = cut(r.unordered.messages, i, i+1)
	r.partial--
}

// skipUnorderedData gives up the unordered messages of DATA chunks that miss a TSN up to last.
func (r *Reassembly) skipUnorderedData(last uint32) {
	for len(r.unordered.messages) > 0 && before(r.unordered.messages[0].next, last) <= 0 {
		r.abortUnorderedData(0)
	}
	n, found := search(r.unordered.fragments, last)
	if found {
		n++
	}
	// A run that goes on from there has its beginning missing.
	for follow := last + 1; n < len(r.unordered.fragments) && r.unordered.fragments[n].pos == follow; follow++ {
		n++
		if r.unordered.fragments[n-1].flags&wire.FlagEnd != 0 {
			break
		}
	}
	for _, f := range r.unordered.fragments[:n] {
		r.drop(f)
	}
	r.unordered.fragments = cut(r.unordered.fragments, 0, n)
}
