package tx

import (
	"iter"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
)

// streamTable holds the outbound streams by number. It is made of pages that come
// when a stream of theirs is first used: of the many streams of an association
// most never are, and thousands of associations must not pay for them.
type streamTable struct {
	n     int
	pages []*streamPage
	// slab is memory for streams that have yet to be used, and made how many have
	// been allocated: as many again at a time, up to maxSlab.
	slab []stream
	made int
}

const maxSlab = 32

const pageSize = 64

type streamPage [pageSize]*stream

func newStreamTable(n int) streamTable {
	return streamTable{n: n, pages: make([]*streamPage, (n+pageSize-1)/pageSize)}
}

func (t *streamTable) has(id wire.StreamID) bool { return int(id) < t.n }

// get returns the stream of that number, which must exist, or nil if it has not
// been used.
func (t *streamTable) get(id wire.StreamID) *stream {
	page := t.pages[id/pageSize]
	if page == nil {
		return nil
	}
	return page[id%pageSize]
}

// use returns the stream of that number, which must exist.
func (t *streamTable) use(id wire.StreamID) *stream {
	page := &t.pages[id/pageSize]
	if *page == nil {
		*page = new(streamPage)
	}
	s := &(*page)[id%pageSize]
	if *s == nil {
		if len(t.slab) == 0 {
			t.slab = make([]stream, min(max(t.made, 1), maxSlab))
			t.made += len(t.slab)
		}
		*s, t.slab = &t.slab[0], t.slab[1:]
		**s = stream{id: id, slot: -1}
	}
	return *s
}

// used walks the streams that have been used.
func (t *streamTable) used() iter.Seq[*stream] {
	return func(yield func(*stream) bool) {
		for _, page := range t.pages {
			if page == nil {
				continue
			}
			for _, s := range page {
				if s != nil && !yield(s) {
					return
				}
			}
		}
	}
}
