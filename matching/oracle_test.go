package matching

import (
	"cmp"
	"slices"
)

// oracle matches by the rules as they are written, looking at everything each
// time. It shares no idea with Engine but the types.
type oracle struct {
	posted  []*Receive // in the order of posting
	waiting []*arrival // unexpected, in the order of arrival
	came    map[stem]map[Seq]bool
	ready   int // messages that have become ready so far
}

// stem is what a sequence of numbers belongs to.
type stem struct {
	context Context
	source  Rank
}

// arrival is a message that has arrived, with its turn among the ready ones,
// 0 while it follows a gap.
type arrival struct {
	m    *Message
	turn int
}

type match struct {
	r *Receive
	m *Message
}

func fits(r *Receive, m *Message) bool {
	return r.Context == m.Context && (r.Source == AnySource || r.Source == m.Source) && (r.Tag == AnyTag || r.Tag == m.Tag)
}

// complete reports whether everything before s has come, and s too.
func (o *oracle) complete(st stem, s Seq) bool {
	for i := range s + 1 {
		if !o.came[st][i] {
			return false
		}
	}
	return true
}

// first reports whether no unmatched message of the same source was sent
// before a, with the same tag if that matters.
func (o *oracle) first(a *arrival, sameTag bool) bool {
	for _, b := range o.waiting {
		if b.m.Context == a.m.Context && b.m.Source == a.m.Source && b.m.Seq < a.m.Seq && (!sameTag || b.m.Tag == a.m.Tag) {
			return false
		}
	}
	return true
}

// candidate is what a receive posted now may take.
func (o *oracle) candidate(r *Receive) *arrival {
	var best *arrival
	for _, a := range o.waiting {
		if !fits(r, a.m) {
			continue
		}
		if r.Tag == AnyTag {
			if a.turn > 0 && o.first(a, false) && (best == nil || a.turn < best.turn) {
				best = a
			}
			continue
		}
		claimed := a.turn == 0 && slices.ContainsFunc(o.posted, func(p *Receive) bool { return p.Tag == AnyTag && fits(p, a.m) })
		if best == nil && !claimed && o.first(a, true) {
			best = a
		}
	}
	return best
}

func (o *oracle) post(r *Receive) *Message {
	if a := o.candidate(r); a != nil {
		o.take(a.m)
		return a.m
	}
	o.posted = append(o.posted, r)
	return nil
}

func (o *oracle) probe(r *Receive) *Message {
	if a := o.candidate(r); a != nil {
		return a.m
	}
	return nil
}

func (o *oracle) take(m *Message) {
	o.waiting = slices.DeleteFunc(o.waiting, func(a *arrival) bool { return a.m == m })
}

func (o *oracle) cancel(r *Receive) (bool, []match) {
	i := slices.Index(o.posted, r)
	if i < 0 {
		return false, nil
	}
	o.posted = slices.Delete(o.posted, i, i+1)
	return true, o.resolve()
}

// arrive takes a message, or notes that a number carries none.
func (o *oracle) arrive(st stem, s Seq, m *Message) []match {
	if o.came == nil {
		o.came = make(map[stem]map[Seq]bool)
	}
	if o.came[st] == nil {
		o.came[st] = make(map[Seq]bool)
	}
	o.came[st][s] = true
	if m != nil {
		o.waiting = append(o.waiting, &arrival{m: m})
	}
	return o.resolve()
}

// resolve matches whatever may match until nothing more does.
func (o *oracle) resolve() []match {
	var fresh []*arrival
	for _, a := range o.waiting {
		if a.turn == 0 && o.complete(stem{a.m.Context, a.m.Source}, a.m.Seq) {
			fresh = append(fresh, a)
		}
	}
	slices.SortFunc(fresh, func(a, b *arrival) int { return cmp.Compare(a.m.Seq, b.m.Seq) })
	for _, a := range fresh {
		o.ready++
		a.turn = o.ready
	}
	var all []match
	for {
		got := o.one()
		if got == nil {
			return all
		}
		all = append(all, *got)
	}
}

// one makes one match: of ready messages first, in the order in which they
// were sent, then of the others in the order of arrival.
func (o *oracle) one() *match {
	order := slices.Clone(o.waiting)
	slices.SortStableFunc(order, func(a, b *arrival) int {
		switch {
		case a.turn > 0 && b.turn > 0:
			return cmp.Compare(a.turn, b.turn)
		case a.turn > 0:
			return -1
		case b.turn > 0:
			return 1
		}
		return 0
	})
	for _, a := range order {
		i := slices.IndexFunc(o.posted, func(r *Receive) bool { return fits(r, a.m) })
		if i < 0 {
			continue
		}
		r := o.posted[i]
		if r.Tag == AnyTag && (a.turn == 0 || !o.first(a, false)) || !o.first(a, true) {
			continue
		}
		o.posted = slices.Delete(o.posted, i, i+1)
		o.take(a.m)
		return &match{r, a.m}
	}
	return nil
}
