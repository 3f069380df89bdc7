package matching

import "slices"

// oracle is the specification of Engine as plain as it can be written: two
// slices, linear scans and the rules of the package comment, one after the
// other. After every change it looks for a pair that the rules allow until
// there is none. It shares nothing with the engine but the named integers.
type oracle struct {
	posted     []*oracleReceive // in the order of posting
	unexpected []*oracleMessage // in the order of arrival
	arrived    map[flow]map[Seq]bool
	now        int // counts the changes
	// overtaking are the contexts in which messages may overtake. free has, of each flow, the number from which on they
	// may not any more.
	overtaking map[Context]bool
	free       map[flow]Seq
}

// flow is what one source sends in one context: what a sequence numbers.
type flow struct {
	context Context
	source  Rank
}

type oracleReceive struct {
	id      int
	context Context
	source  Rank
	tag     Tag
}

type oracleMessage struct {
	id int
	flow
	tag   Tag
	seq   Seq
	ready int // when everything sent before it had arrived, or needed not; 0: not yet
}

// oracleMatch says that a receive took a message.
type oracleMatch struct{ receive, message int }

func (r *oracleReceive) matches(m *oracleMessage) bool {
	return r.context == m.context &&
		(r.source == AnySource || r.source == m.source) &&
		(r.tag == AnyTag || r.tag == m.tag)
}

// number notes that a sequence number has arrived, unless it had before.
func (o *oracle) number(f flow, s Seq) bool {
	if o.arrived == nil {
		o.arrived = make(map[flow]map[Seq]bool)
	}
	if o.arrived[f] == nil {
		o.arrived[f] = make(map[Seq]bool)
	}
	if o.arrived[f][s] {
		return false
	}
	o.arrived[f][s] = true
	return true
}

func (o *oracle) post(r *oracleReceive) []oracleMatch {
	o.posted = append(o.posted, r)
	return o.matchAll()
}

func (o *oracle) arrive(m *oracleMessage) (matches []oracleMatch, ok bool) {
	if !o.number(m.flow, m.seq) {
		return nil, false
	}
	o.unexpected = append(o.unexpected, m)
	return o.matchAll(), true
}

func (o *oracle) skip(f flow, s Seq) (matches []oracleMatch, ok bool) {
	if !o.number(f, s) {
		return nil, false
	}
	return o.matchAll(), true
}

func (o *oracle) cancel(id int) (matches []oracleMatch, ok bool) {
	i := slices.IndexFunc(o.posted, func(r *oracleReceive) bool { return r.id == id })
	if i < 0 {
		return nil, false
	}
	o.posted = slices.Delete(o.posted, i, i+1)
	return o.matchAll(), true
}

func (o *oracle) take(id int) (matches []oracleMatch, ok bool) {
	i := slices.IndexFunc(o.unexpected, func(m *oracleMessage) bool { return m.id == id })
	if i < 0 {
		return nil, false
	}
	o.unexpected = slices.Delete(o.unexpected, i, i+1)
	return o.matchAll(), true
}

func (o *oracle) probe(r *oracleReceive) *oracleMessage { return o.choice(r, o.posted) }

func (o *oracle) release(c Context) {
	o.posted = slices.DeleteFunc(o.posted, func(r *oracleReceive) bool { return r.context == c })
	o.unexpected = slices.DeleteFunc(o.unexpected, func(m *oracleMessage) bool { return m.context == c })
	for f := range o.arrived {
		if f.context == c {
			delete(o.arrived, f)
			delete(o.free, f)
		}
	}
	delete(o.overtaking, c)
}

func (o *oracle) allowOvertaking(c Context, allowed bool) (matches []oracleMatch) {
	if o.overtaking == nil {
		o.overtaking, o.free = make(map[Context]bool), make(map[flow]Seq)
	}
	if o.overtaking[c] == allowed {
		return nil
	}
	o.overtaking[c] = allowed
	if !allowed {
		for f, numbers := range o.arrived {
			for s := range numbers {
				if f.context == c {
					o.free[f] = max(o.free[f], s+1)
				}
			}
		}
		return nil
	}
	for _, m := range o.unexpected { // they become ready one after the other
		if m.context == c && m.ready == 0 {
			o.now++
			m.ready = o.now
		}
	}
	return o.matchAll()
}

// matchAll makes every match that the rules allow. "Receives that match the
// same message take it in the order in which they were posted": so the
// receive posted first chooses first.
func (o *oracle) matchAll() (matches []oracleMatch) {
	o.now++
	for _, m := range o.unexpected {
		if m.ready == 0 && o.complete(m) {
			m.ready = o.now
		}
	}
	for i := 0; i < len(o.posted); i++ {
		r := o.posted[i]
		if m := o.choice(r, o.posted[:i]); m != nil {
			matches = append(matches, oracleMatch{r.id, m.id})
			o.posted = slices.Delete(o.posted, i, i+1)
			o.unexpected = slices.DeleteFunc(o.unexpected, func(u *oracleMessage) bool { return u == m })
			i = -1 // what it blocked is free now: begin again
		}
	}
	return matches
}

// choice returns the message that r takes when the receives in earlier were
// posted before it, nil if there is none.
func (o *oracle) choice(r *oracleReceive, earlier []*oracleReceive) (choice *oracleMessage) {
	for _, m := range o.unexpected {
		if !r.matches(m) || !o.may(r, m, earlier) {
			continue
		}
		// Among sources the first to arrive, or, for any tag, to be ready.
		if choice == nil || r.tag == AnyTag && m.ready < choice.ready {
			choice = m
		}
	}
	return choice
}

// may reports whether r may take m, which it matches.
func (o *oracle) may(r *oracleReceive, m *oracleMessage, earlier []*oracleReceive) bool {
	// No message overtakes: of the messages of one source that r matches, it
	// takes the one sent first, or the one that was allowed to be ready before it.
	for _, other := range o.unexpected {
		if other.flow == m.flow && r.matches(other) && other.before(m, r.tag) {
			return false
		}
	}
	// "an any-tag receive takes a message only when everything sent before it
	// has arrived".
	if r.tag == AnyTag {
		return m.ready > 0
	}
	// "a receive with a concrete tag may take a message at once, […] unless an
	// any-tag receive that could take it was posted before".
	for _, a := range earlier {
		if a.tag == AnyTag && a.matches(m) {
			return false
		}
	}
	return true
}

// before reports whether a receive with that tag takes m before other, which is of the same flow.
func (m *oracleMessage) before(other *oracleMessage, t Tag) bool {
	if t == AnyTag && m.ready != other.ready {
		return m.ready > 0 && (other.ready == 0 || m.ready < other.ready)
	}
	return m.seq < other.seq
}

// complete reports whether everything sent before m has arrived, or need not have.
func (o *oracle) complete(m *oracleMessage) bool {
	if o.overtaking[m.context] || m.seq < o.free[m.flow] {
		return true
	}
	for s := range m.seq {
		if !o.arrived[m.flow][s] {
			return false
		}
	}
	return true
}
