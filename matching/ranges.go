package matching

import "slices"

// ranges is a sorted slice of the ranges of sequence numbers that have arrived
// out of order. It is cheap to change at both ends: gaps arise at its end, and
// most of them are closed at its beginning. A change in the middle moves the
// shorter half if there is room.
type ranges struct {
	slots []seqRange // none if there is no range
	spare int        // slots free at the beginning
}

// keepRanges is how many slots are kept when no range is left.
const keepRanges = 1 << 10

func (l *ranges) all() []seqRange { return l.slots[l.spare:] }

func (l *ranges) insert(i int, v seqRange) {
	n := len(l.slots) - l.spare
	if l.spare > 0 && i < n/2 {
		l.spare--
		copy(l.slots[l.spare:], l.slots[l.spare+1:l.spare+1+i])
		l.slots[l.spare+i] = v
		return
	}
	if len(l.slots) == cap(l.slots) && l.spare > n {
		copy(l.slots, l.all())
		clear(l.slots[n:])
		l.slots, l.spare = l.slots[:n], 0
	}
	l.slots = slices.Insert(l.slots, l.spare+i, v)
}

func (l *ranges) remove(i int) {
	all := l.all()
	if i < len(all)/2 {
		copy(all[1:], all[:i])
		all[0] = seqRange{}
		l.spare++
		return
	}
	l.slots = slices.Delete(l.slots, l.spare+i, l.spare+i+1)
	if len(all) == 1 {
		l.slots, l.spare = l.slots[:0], 0
		if cap(l.slots) > keepRanges {
			l.slots = nil
		}
	}
}
