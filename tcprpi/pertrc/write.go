package pertrc

import (
	"syscall"

	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// gather lists what is to be written next, as much as one call takes.
func (o *outgoing) gather(v *socket.Vector) {
	skip := o.written
	for f := o.Head(); f != nil && !v.Full(); f = f.Next {
		f.Started = true
		if skip < len(f.Header) {
			v.Gather(f.Header[skip:])
			skip = 0
		} else {
			skip -= len(f.Header)
		}
		v.Gather(f.Body[skip:])
		skip = 0
	}
}

// flush writes what is queued until the kernel takes no more. Goroutines that
// come while another writes leave their messages to it.
func (t *Transport) flush(o *outgoing) {
	for o.phase == connected && o.Head() != nil && o.Free() && t.failed(o.peer) == nil && !t.life.Over {
		v := t.vector()
		o.gather(v)
		o.Begin()
		t.leave()
		n, err := o.stream.Write(v)
		t.enter()
		t.freeVector(v)
		t.left(o, n)
		if o.EndBy(err, syscall.EAGAIN) {
			t.brokenOut(o, err)
		}
	}
	switch {
	case o.Sending() || o.phase != connected || t.life.Over:
	case t.failed(o.peer) != nil:
		t.drop(o)
	default:
		t.settle(o)
	}
}

// left notes that n bytes more have left. Nothing has of the messages behind the first of the
// others, or behind those that the stream has taken.
func (t *Transport) left(o *outgoing, n int) {
	for f := o.Head(); f != nil && n >= f.Len()-o.written; f = o.Head() {
		n -= f.Len() - o.written
		o.written = 0
		o.sent++
		t.meter.Sent.Add(1)
		t.layer.Sent(o.Outgoing, f)
	}
	first := o.Head()
	if first == nil {
		return
	}
	o.written += n
	going := o.written + o.stream.Taken()
	for f := first; f != nil && (f == first || f.Started); f = f.Next {
		f.Started = going > 0
		going -= f.Len()
	}
}

// vector returns an empty gather list.
func (t *Transport) vector() *socket.Vector {
	if n := len(t.vectors); n > 0 {
		v := t.vectors[n-1]
		t.vectors = t.vectors[:n-1]
		return v
	}
	return new(socket.Vector)
}

func (t *Transport) freeVector(v *socket.Vector) {
	v.Reset()
	t.vectors = append(t.vectors, v)
}
