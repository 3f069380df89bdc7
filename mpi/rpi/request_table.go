package rpi

import "iter"

// RequestTable is for transports: it gives requests their ids on the wire. An id is an index plus one, so that 0 means none. The
// ids of finished requests are used again. The zero RequestTable is empty.
type RequestTable struct {
	slots []*Request
	free  []uint32
}

// Name gives r an id, or returns the one that it has.
func (t *RequestTable) Name(r *Request) uint32 {
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
func (t *RequestTable) Find(id uint32) *Request {
	if id == 0 || uint64(id) > uint64(len(t.slots)) {
		return nil
	}
	return t.slots[id-1]
}

// Drop takes r's id away.
func (t *RequestTable) Drop(r *Request) {
	if id := r.Transport.ID; id != 0 {
		t.slots[id-1] = nil
		t.free = append(t.free, id)
		r.Transport.ID = 0
	}
}

// Len returns how many requests have an id.
func (t *RequestTable) Len() int { return len(t.slots) - len(t.free) }

// All yields the requests that have an id. They may be dropped meanwhile.
func (t *RequestTable) All() iter.Seq[*Request] {
	return func(yield func(*Request) bool) {
		for _, r := range t.slots {
			if r != nil && !yield(r) {
				return
			}
		}
	}
}
