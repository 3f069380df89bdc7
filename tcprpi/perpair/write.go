package perpair

import (
	"errors"
	"syscall"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// sendQueue holds the frames that wait for a connection, in order.
type sendQueue struct {
	progression.Queue
	sent int // bytes of the first that have left
	// writing: a goroutine is in a system call with frames of the queue.
	writing bool
	// blocked: the kernel takes no more until the poller says so. again: it
	// said so while a goroutine was writing.
	blocked, again bool
	vec            *socket.Vector
}

// gather lists what is to be written next, as much as one call takes.
func (q *sendQueue) gather() *socket.Vector {
	if q.vec == nil {
		q.vec = new(socket.Vector)
	}
	v, skip := q.vec, q.sent
	v.Reset()
	for f := q.Head(); f != nil && !v.Full(); f = f.Next {
		f.Started = true
		if skip < len(f.Header) {
			v.Gather(f.Header[skip:])
			v.Gather(f.Body)
		} else {
			v.Gather(f.Body[skip-len(f.Header):])
		}
		skip = 0
	}
	return v
}

// flush writes what is queued until the kernel takes no more. Goroutines that
// come while another writes leave their frames to it. The lock is held, but
// not while writing.
func (t *Transport) flush(c *conn) {
	q := &c.send
	for c.phase == open && !q.Empty() && !q.writing && !q.blocked {
		v := q.gather()
		q.writing, q.again = true, false
		t.mu.Unlock()
		n, err := v.Write(c.fd)
		t.meter.Writes.Add(1)
		t.mu.Lock()
		q.writing = false
		c.asked.Store(true)
		if n > 0 {
			c.beat.Spoke()
		}
		t.sent(c, n)
		switch {
		case err == nil:
		case errors.Is(err, syscall.EAGAIN):
			q.blocked = !q.again
		default:
			// The connection is broken. There may still be something to
			// read: the event loop will see the end, and the reason.
			q.blocked = true
		}
	}
	if c.phase == gone {
		t.drop(c)
		t.retire(c)
	}
	if q.Empty() && t.state == closing {
		t.changed.Broadcast()
	}
}

// sent takes the frames off the queue that have left with the last n bytes.
func (t *Transport) sent(c *conn, n int) {
	q := &c.send
	for !q.Empty() && n >= q.Head().Len()-q.sent {
		n -= q.Head().Len() - q.sent
		f := q.Pop()
		q.sent = 0
		if carries(f.Kind()) {
			t.meter.Sent.Add(uint64(f.Messages))
		}
		t.layer.Sent(f)
	}
	q.sent += n
}

// carries reports whether a frame of that kind ends a message.
func carries(k matching.Kind) bool { return k == matching.Eager || k == matching.Body }

// writable resumes writing, and reports whether it had been given up. The lock is held.
func (t *Transport) writable(c *conn) bool {
	c.send.again = true
	if !c.send.blocked {
		return false
	}
	c.send.blocked = false
	t.flush(c)
	return true
}
