package bookkeeping

import "github.com/sctpmpi/sctpmpi/matching"

// Discarded is the messages that nobody will receive: by context the last of
// their tags, which count up and go round.
type Discarded map[matching.Context]matching.Tag

// Add notes that in a context messages up to tag are not wanted.
func (d *Discarded) Add(c matching.Context, tag matching.Tag) {
	if *d == nil {
		*d = make(Discarded)
	}
	if last, ok := (*d)[c]; !ok || upTo(last, tag) {
		(*d)[c] = tag
	}
}

// Has reports whether a message is not wanted.
func (d Discarded) Has(c matching.Context, tag matching.Tag) bool {
	if len(d) == 0 {
		return false
	}
	last, ok := d[c]
	return ok && upTo(tag, last)
}

// upTo reports whether tag a is b or one of the half of all tags before it.
func upTo(a, b matching.Tag) bool {
	const half = 1 << 30
	return uint32(b-a)&(2*half-1) < half
}
