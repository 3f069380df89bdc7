package bookkeeping

import (
	"iter"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Table gives requests their ids on the wire. An id is an index plus one, so that 0 means none. The
// ids of finished requests are used again. The zero Table is empty.
type Table struct {
	slots []*rpi.Request
	free  []uint32
}

// Name gives r an id, or returns the one that it has.
func (t *Table) Name(r *rpi.Request) uint32 {
	if r.Transport.ID == 0 {
		if n := len(t.free); n > 0 {
			r.Transport.ID = t.free[n-1]
			t.free = t.free[:n-1]
			t.slots[r.Transport.ID-1] = r
		} else {
			t.slots = append(t.slots, r)
			r.Transport.ID = uint32(len(t.slots))
		}
	}
	return r.Transport.ID
}

// Find returns the request with that id, nil if there is none.
func (t *Table) Find(id uint32) *rpi.Request {
	if id == 0 || uint64(id) > uint64(len(t.slots)) {
		return nil
	}
	return t.slots[id-1]
}

// Drop takes r's id away.
func (t *Table) Drop(r *rpi.Request) {
	if id := r.Transport.ID; id != 0 {
		t.slots[id-1] = nil
		t.free = append(t.free, id)
		r.Transport.ID = 0
	}
}

// Len returns how many requests have an id.
func (t *Table) Len() int { return len(t.slots) - len(t.free) }

// All yields the requests that have an id. They may be dropped meanwhile.
func (t *Table) All() iter.Seq[*rpi.Request] {
	return func(yield func(*rpi.Request) bool) {
		for _, r := range t.slots {
			if r != nil && !yield(r) {
				return
			}
		}
	}
}
