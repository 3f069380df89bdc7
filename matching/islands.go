package matching

import "slices"

// islands is a sorted slice that can be changed at both ends at little cost:
// gaps arise at its end and are mostly closed at its beginning. A change in
// the middle moves the shorter half if there is room.
type islands struct {
	slots []island
	spare int // slots free at the beginning
}

// keepIslands is how many slots are kept when no island is left.
const keepIslands = 1 << 10

func (l *islands) all() []island { return l.slots[l.spare:] }

func (l *islands) insert(i int, v island) {
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

func (l *islands) remove(i int) {
	all := l.all()
	if i < len(all)/2 {
		copy(all[1:], all[:i])
		all[0] = island{}
		l.spare++
		return
	}
	l.slots = slices.Delete(l.slots, l.spare+i, l.spare+i+1)
	if len(all) == 1 {
		l.slots, l.spare = l.slots[:0], 0
		if cap(l.slots) > keepIslands {
			l.slots = nil
		}
	}
}
