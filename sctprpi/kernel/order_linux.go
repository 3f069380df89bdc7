package kernel

import (
	"slices"

	"github.com/ishidawataru/sctp"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// ordering puts the messages of a stream into order where the kernel has not.
//
// When the receive buffer is full Linux delivers a message before all of it has come, and keeps
// short messages of other streams in a list of its own (the lobby) until the rest is there.
// Then it first lets go what has been put together meanwhile, and after that the list
// (sctp_ulpq_clear_pd of net/sctp/ulpqueue.c, seen in 6.1): so a long message overtakes short
// ones of its own stream. Without SCTP_FRAGMENT_INTERLEAVE it would not, but then a message
// that is not complete would hold up all associations.
//
// The kernel has all of it by then. So messages that come early wait until the socket has been
// read empty and no message is incomplete. If they outgrow the receive buffer they wait no longer:
// the peer has given up what is missing (RFC 3758).
type ordering struct {
	next  map[uint16]uint16 // the number (SSN) of the next message, by stream
	early []record          // what has come before its turn
	bytes int               // in these
}

// isEarly reports whether a record is of a message before which another one of its stream is
// to come.
func (o *ordering) isEarly(r *record) bool {
	return r.flags&sctp.SCTP_UNORDERED == 0 && int16(r.ssn-o.next[r.stream]) > 0
}

// expect notes which message of a stream is the next.
func (o *ordering) expect(stream, ssn uint16) {
	if o.next == nil {
		o.next = make(map[uint16]uint16)
	}
	o.next[stream] = ssn
}

// handleData handles a piece of a message, when it is its turn. Where messages may be interleaved
// the kernel has another way, and other numbers.
func (e *endpoint) handleData(r *record) {
	a := e.assocs[socket.AssocID(r.assoc)]
	switch {
	case a == nil: // one that was refused
		r.memory.Release()
	case e.config.Interleaving:
		e.deliver(a, r)
	case a.order.isEarly(r):
		a.order.early = append(a.order.early, *r)
		e.early.Add(1)
		if a.order.bytes += len(r.payload); a.order.bytes > 2*e.config.ReceiveBuffer { // as the kernel doubles it
			e.letGo(a)
		}
	default:
		e.inTurn(a, r)
	}
}

// inTurn delivers a piece of a message, and those of which it then is the turn.
func (e *endpoint) inTurn(a *association, r *record) {
	o := &a.order
	for {
		e.deliver(a, r)
		if r.end && r.flags&sctp.SCTP_UNORDERED == 0 {
			o.expect(r.stream, r.ssn+1)
		}
		i := slices.IndexFunc(o.early, func(r record) bool { return !o.isEarly(&r) })
		if i < 0 {
			return
		}
		next := e.takeEarly(o, i)
		r = &next
	}
}

// takeEarly takes one of those out that have come early.
func (e *endpoint) takeEarly(o *ordering, i int) record {
	r := o.early[i]
	o.early = slices.Delete(o.early, i, i+1)
	o.bytes -= len(r.payload)
	e.early.Add(-1)
	return r
}

// letGo delivers what has come early though messages before it are missing.
func (e *endpoint) letGo(a *association) {
	o := &a.order
	for len(o.early) > 0 {
		first := slices.MinFunc(o.early, func(a, b record) int {
			if a.stream != b.stream {
				return int(a.stream) - int(b.stream)
			}
			return int(int16(a.ssn - b.ssn))
		})
		o.expect(first.stream, first.ssn)
		i := slices.IndexFunc(o.early, func(r record) bool { return !o.isEarly(&r) })
		next := e.takeEarly(o, i)
		e.inTurn(a, &next)
	}
}

// letAllGo does so for the associations that wait for no rest of a message, when the socket
// has been read empty.
func (e *endpoint) letAllGo() {
	if e.early.Load() == 0 {
		return
	}
	for _, a := range e.assocs {
		if len(a.partials) == 0 {
			e.letGo(a)
		}
	}
}
