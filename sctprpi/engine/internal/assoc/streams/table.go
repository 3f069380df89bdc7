// Package streams holds what either half of an association keeps of each stream.
package streams

import (
	"iter"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Table holds streams by number. It is made of pages that come when a stream of theirs is
// first used: of the many streams of an association most never are, and thousands of
// associations must not pay for them. The zero Table has no streams: see Extend.
type Table[S any] struct {
	n     int
	pages []*page[S]
	// slab is memory for streams that have yet to be used, and made how many have
	// been allocated: as many again at a time, up to maxSlab.
	slab []S
	made int
}

const (
	pageSize = 64
	maxSlab  = 32
)

type page[S any] [pageSize]*S

// Extend makes n streams more.
func (t *Table[S]) Extend(n int) {
	t.n += n
	pages := (t.n + pageSize - 1) / pageSize
	t.pages = append(t.pages, make([]*page[S], pages-len(t.pages))...)
}

// Len returns how many streams there are.
func (t *Table[S]) Len() int { return t.n }

// Has reports whether there is a stream of that number.
func (t *Table[S]) Has(id socket.StreamID) bool { return int(id) < t.n }

// Get returns the stream of that number, or nil if it has not been used or does not
// exist.
func (t *Table[S]) Get(id socket.StreamID) *S {
	if !t.Has(id) || t.pages[id/pageSize] == nil {
		return nil
	}
	return t.pages[id/pageSize][id%pageSize]
}

// Use returns the stream of that number, nil if it does not exist, and whether it is used for
// the first time: then it is zero.
func (t *Table[S]) Use(id socket.StreamID) (s *S, fresh bool) {
	if int(id) >= t.n {
		return nil, false
	}
	p := &t.pages[id/pageSize]
	if *p == nil {
		*p = new(page[S])
	}
	place := &(*p)[id%pageSize]
	if *place != nil {
		return *place, false
	}
	if len(t.slab) == 0 {
		t.slab = make([]S, min(max(t.made, 1), maxSlab))
		t.made += len(t.slab)
	}
	*place, t.slab = &t.slab[0], t.slab[1:]
	return *place, true
}

// Used walks the streams that have been used.
func (t *Table[S]) Used() iter.Seq[*S] {
	return func(yield func(*S) bool) {
		for _, p := range t.pages {
			if p == nil {
				continue
			}
			for _, s := range p {
				if s != nil && !yield(s) {
					return
				}
			}
		}
	}
}
