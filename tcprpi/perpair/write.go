package perpair

import (
	"syscall"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/links"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// sendQueue holds the frames that wait for a connection, in order.
type sendQueue struct {
	*progression.Queue
	monitor.Flow
	sent int // bytes of the first that have left
	vec  *socket.Vector
	// written and err are what came of the last call.
	written int
	err     error
}

// gather puts what is to be written next into vec, as much as one call takes.
func (q *sendQueue) gather() {
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
}

// startWriting gathers what is queued for a connection and reports whether there is something to
// write now.
func (c *conn) startWriting() bool {
	q := &c.send
	if c.phase != open || q.Empty() || !q.Free() {
		return false
	}
	q.gather()
	q.Begin()
	return true
}

// Send implements links.Batch.
func (c *conn) Send() { c.send.written, c.send.err = c.stream.Write(c.send.vec) }

// Sent implements links.Batch.
func (c *conn) Sent() links.Batch {
	t, q := c.transport, &c.send
	c.asked.Store(true)
	if q.written > 0 {
		c.beat.Spoke()
	}
	// If the connection is broken there may still be something to read: Poll will see the end, and the reason.
	q.EndBy(q.err, syscall.EAGAIN)
	t.sent(c, q.written)
	if c.startWriting() {
		return c
	}
	t.doneWriting(c)
	return nil
}

// doneWriting notes that there is nothing to write to a connection now.
func (t *Transport) doneWriting(c *conn) {
	if c.phase == gone {
		t.drop(c)
		t.retire(c)
	}
	if c.send.Empty() && t.life.Closing {
		t.life.Changed()
	}
}

// sent takes off the queue the frames that have left completely with the last n bytes.
func (t *Transport) sent(c *conn, n int) {
	q := &c.send
	for !q.Empty() && n >= q.Head().Len()-q.sent {
		n -= q.Head().Len() - q.sent
		f := q.Pop()
		q.sent = 0
		if carries(f.Kind()) {
			t.meter.Sent.Add(uint64(f.Messages))
		}
		t.Layer.Sent(f)
	}
	q.sent += n
}

// carries reports whether a frame of that kind ends a message.
func carries(k header.Kind) bool { return k == header.Eager || k == header.Body }

// writable resumes writing, and reports whether it was blocked.
func (t *Transport) writable(c *conn) bool {
	if !c.send.Writable() {
		return false
	}
	t.Layer.SetReady(c.peer)
	return true
}
