package pertrc

import "github.com/sctpmpi/sctpmpi/mpi/rpi"

// table names requests on the wire. A name is an index plus one, so that 0
// means none; names of finished requests are used again.
type table struct {
	slots []*rpi.Request
	free  []uint32
}

func (t *table) name(r *rpi.Request) uint32 {
	if r.Transport.ID == 0 {
		if n := len(t.free); n > 0 {
			r.Transport.ID, t.free = t.free[n-1], t.free[:n-1]
			t.slots[r.Transport.ID-1] = r
		} else {
			t.slots = append(t.slots, r)
			r.Transport.ID = uint32(len(t.slots))
		}
	}
	return r.Transport.ID
}

func (t *table) find(id uint32) *rpi.Request {
	if id == 0 || uint64(id) > uint64(len(t.slots)) {
		return nil
	}
	return t.slots[id-1]
}

func (t *table) drop(r *rpi.Request) {
	if id := r.Transport.ID; id != 0 {
		t.slots[id-1] = nil
		t.free = append(t.free, id)
		r.Transport.ID = 0
	}
}
