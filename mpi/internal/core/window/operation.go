package window

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// operation is something that this rank, as an origin, has asked a target for and whose outcome has not come.
type operation struct {
	peer  *peer // nil: the number is free
	into  []byte
	event *Event
	data  *request // receives the data of a long Get
	sink  func()   // takes what has come to into, or nil
	fault *fault   // the target has refused, and data is still to end
	// lock: it is to get a lock. undo: its caller does not want that any more.
	lock, undo bool
}

// maxAwaited is how many operations of an origin that a target answers may be under way, and maxSending how many
// messages.
const (
	maxAwaited = 64
	maxSending = 64
)

// begin gives an operation a number.
func (w *Window) begin(p *peer, into []byte, e *Event) uint32 {
	var id uint32
	if n := len(w.free); n > 0 {
		id = w.free[n-1]
		w.free = w.free[:n-1]
	} else {
		id = uint32(len(w.operations))
		w.operations = append(w.operations, operation{})
	}
	w.operations[id] = operation{peer: p, into: into, event: e}
	p.awaited++
	if e != nil {
		e.left++
	}
	return id
}

// ended notes that an operation has ended.
func (w *Window) ended(id uint32, f *fault) {
	o := w.operations[id]
	w.operations[id] = operation{}
	w.free = append(w.free, id)
	p, e := o.peer, o.event
	if f == nil && o.sink != nil {
		o.sink()
	}
	p.awaited--
	p.fail(e, f)
	if e != nil {
		w.pass(e)
	}
	switch {
	case !o.lock || f != nil:
	case !o.undo:
		p.access.held = true
	default:
		w.send(p, header{verb: unlock, id: w.begin(p, nil, nil)}, nil)
	}
}

// send sends a message of this rank as an origin.
func (w *Window) send(p *peer, h header, data []byte) {
	if p.self {
		w.take(p, h, data)
		return
	}
	p.sending++
	w.message(p, asking, h, data)
}

// answered handles what a target answers to an operation, which may be none that there is.
func (w *Window) answered(p *peer, h header, data []byte) {
	if int(h.id) >= len(w.operations) || w.operations[h.id].peer != p {
		return
	}
	o := &w.operations[h.id]
	switch {
	case h.verb == refusal:
		f := &fault{mpierr.Class(h.class), string(data)}
		if o.data != nil {
			o.fault = f
			w.cancel(o.data)
			return
		}
		w.ended(h.id, f)
	case o.data != nil: // the data is the answer
	case len(data) != len(o.into):
		w.ended(h.id, faulty(rpi.ErrIntern, "%d bytes came where %d were asked for", len(data), len(o.into)))
	default:
		copy(o.into, data)
		w.ended(h.id, nil)
	}
}

// fetched handles the end of a receive of long data.
func (w *Window) fetched(r *request) {
	w.slots &^= 1 << r.slot
	o := &w.operations[r.id]
	f := o.fault
	switch {
	case f != nil:
	case r.Err == nil && !r.Status.Cancelled && r.Status.Length == uint64(len(r.Buf)):
	case r.peer.dead != nil:
		f = gone
	default:
		f = faulty(rpi.ErrIntern, "%d bytes came where %d were asked for", r.Status.Length, len(r.Buf))
	}
	w.ended(r.id, f)
}
