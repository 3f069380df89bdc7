package rpi

import "github.com/sctpmpi/sctpmpi/matching"

// Discarded records the messages that no receive will take. Its value for a context is the last tag
// that is not wanted; tags count up and wrap around.
type Discarded map[matching.Context]matching.Tag

// Add notes that the messages of a context up to tag are not wanted.
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

// Before reports whether tag a is in the half of the tags before b.
func Before(a, b matching.Tag) bool { return upTo(a, b-1) }

// upTo reports whether tag a is b, or in the half of the tags before b.
func upTo(a, b matching.Tag) bool {
	const half = 1 << 30
	return uint32(b-a)&(2*half-1) < half
}
