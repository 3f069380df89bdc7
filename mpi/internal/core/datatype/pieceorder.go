package datatype

// PieceOrder says how the pieces of an element follow each other in memory, in the order of sending.
type PieceOrder struct {
	// Pieces is how many there are.
	Pieces int64
	// First and Last are the displacements of the first piece and of the last one, End that behind the piece that ends last.
	First, Last, End int64
	// Descends says that displacements decrease: the one At follows the one After. Then of the others only First is known.
	Descends  bool
	At, After int64
	// Overlaps says that a byte is in several pieces.
	Overlaps bool
}

// PieceOrder finds out how t's pieces, of which there is one at least, follow each other. It takes time for t's loops, not for what they
// repeat, and gives up and returns false after so many.
func (t *Type) PieceOrder(most int64) (PieceOrder, bool) {
	w := orderer{left: most}
	l := t.times(1)
	o := w.loop(&l)
	return o, w.left >= 0
}

type orderer struct{ left int64 } // loops that may be looked at

func (w *orderer) list(l *list) (all PieceOrder) {
	for i := range l.loops {
		if w.left--; w.left < 0 || all.Descends {
			break
		}
		if next := w.loop(&l.loops[i]); i == 0 {
			all = next
		} else {
			all = all.then(next)
		}
	}
	return all
}

func (w *orderer) loop(l *loop) PieceOrder {
	once := PieceOrder{Pieces: 1, End: l.size}
	if l.body != nil {
		once = w.list(l.body)
	}
	once = once.shifted(l.disp)
	if once.Descends || l.count == 1 {
		return once
	}
	// Each repetition follows the one before as the second follows the first.
	all := once.then(once.shifted(l.stride))
	if all.Descends {
		return all
	}
	all.Pieces = once.Pieces * l.count
	all.Last, all.End = once.Last+(l.count-1)*l.stride, once.End+(l.count-1)*l.stride
	return all
}

func (o PieceOrder) shifted(by int64) PieceOrder {
	o.First, o.Last, o.End = o.First+by, o.Last+by, o.End+by
	if o.Descends {
		o.At, o.After = o.At+by, o.After+by
	}
	return o
}

// then is the order of o's pieces with those of next after them. Where nothing descends the first piece of next is its lowest.
func (o PieceOrder) then(next PieceOrder) PieceOrder {
	switch {
	case next.First < o.Last:
		return PieceOrder{First: o.First, Descends: true, At: next.First, After: o.Last}
	case next.Descends:
		next.First = o.First
		return next
	}
	return PieceOrder{
		Pieces: o.Pieces + next.Pieces, First: o.First, Last: next.Last, End: max(o.End, next.End),
		Overlaps: o.Overlaps || next.Overlaps || next.First < o.End,
	}
}
