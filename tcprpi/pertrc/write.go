package pertrc

import (
	"errors"
	"syscall"

	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// gather lists what is to be written next, as much as one call takes.
func (o *outgoing) gather(v *socket.Vector) {
	skip := o.written
	for f := o.head; f != nil && !v.Full(); f = f.next {
		f.started = true
		if skip < len(f.header) {
			v.Gather(f.header[skip:])
			skip = 0
		} else {
			skip -= len(f.header)
		}
		if f.zeros > 0 {
			left := f.zeros - skip
			v.Add(zeroes[:min(left, len(zeroes))])
			if left > len(zeroes) {
				return
			}
		} else {
			v.Gather(f.body[skip:])
		}
		skip = 0
	}
}

// zeroes stand for the bodies of messages that were taken back.
var zeroes [64 << 10]byte

// flush writes what is queued until the kernel takes no more. Goroutines that
// come while another writes leave their frames to it. The lock is held, but
// not while writing.
func (t *Transport) flush(o *outgoing) {
	for o.phase == connected && o.head != nil && !o.writing && !o.blocked && o.peer.failed == nil && t.state != killed {
		t.substitute(o)
		v := t.memory.vector()
		o.gather(v)
		o.writing, o.again = true, false
		t.leave()
		n, err := v.Write(o.fd)
		t.meter.Writes.Add(1)
		t.enter()
		t.memory.freeVector(v)
		o.writing = false
		t.advanceOut(o, n)
		switch {
		case err == nil:
		case errors.Is(err, syscall.EAGAIN):
			o.blocked = !o.again
		default:
			o.blocked = true
			t.brokenOut(o, err)
		}
	}
	switch {
	case o.writing || o.phase != connected || t.state == killed:
	case o.peer.failed != nil:
		t.drop(o)
	case o.head == nil && (o.leaving || len(t.allotted.waiting) > 0):
		t.retire(o)
	case o.head != nil:
		t.substitute(o)
	}
}

// advanceOut takes the frames off the queue that have left with the last n
// bytes. Of those behind the first of the others, nothing has.
func (t *Transport) advanceOut(o *outgoing, n int) {
	for o.head != nil && n >= o.head.len()-o.written {
		n -= o.head.len() - o.written
		t.sent(t.pop(o))
	}
	if o.head == nil {
		return
	}
	o.written += n
	o.head.started = o.written > 0
	for f := o.head.next; f != nil && f.started; f = f.next {
		f.started = false
	}
}
