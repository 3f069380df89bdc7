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
	*progression.Queue
	sent int // bytes of the first that have left
	// writing: a goroutine is in a system call with frames of the queue.
	writing bool
	// blocked: the kernel takes no more until the watcher reports so. again: it has reported so
	// while a goroutine was writing.
	blocked, again bool
	vec            *socket.Vector
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

// Finish unlocks the transport, and does the work that calls under the lock have left.
func (t *Transport) Finish() {
	w, bells := t.Work(), t.link.Bells()
	t.mu.Unlock()
	bells.Ring()
	t.Do(w)
}

// Work takes the next connection to write to, if there is one,
// and gathers what to write. It makes connections that are needed.
func (t *Transport) Work() *conn {
	for peer, ok := t.layer.Ready(); ok; peer, ok = t.layer.Ready() {
		if t.link.Takes(peer) {
			continue
		}
		switch c := t.conn(peer); {
		case c.phase == idle && t.state == running:
			t.dial(c)
		case c.phase == gone || c.phase == idle:
			t.drop(c)
		case t.startWriting(c):
			return c
		default:
			t.doneWriting(c)
		}
	}
	return nil
}

// startWriting gathers what is queued for a connection and reports whether there is something to
// write now. If another goroutine is writing, that one looks at the queue again. The lock is held.
func (t *Transport) startWriting(c *conn) bool {
	q := &c.send
	if c.phase != open || q.Empty() || q.writing || q.blocked {
		return false
	}
	q.gather()
	q.writing, q.again = true, false
	return true
}

// Do writes to c, and then to all other connections with queued
// frames.
func (t *Transport) Do(c *conn) {
	for c != nil {
		n, err := c.stream.Write(c.send.vec)
		t.mu.Lock()
		t.written(c, n, err)
		if !t.startWriting(c) {
			t.doneWriting(c)
			c = t.Work()
		}
		bells := t.link.Bells()
		t.mu.Unlock()
		bells.Ring()
	}
}

// written handles the result of a write. The lock is held.
func (t *Transport) written(c *conn, n int, err error) {
	q := &c.send
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
		// The connection is broken. There may still be something to read: Poll will see the
		// end, and the reason.
		q.blocked = true
	}
}

// doneWriting notes that there is nothing to write to a connection now. The lock is held.
func (t *Transport) doneWriting(c *conn) {
	if c.phase == gone {
		t.drop(c)
		t.retire(c)
	}
	if c.send.Empty() && t.state == closing {
		t.changed.Broadcast()
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
		t.layer.Sent(f)
	}
	q.sent += n
}

// carries reports whether a frame of that kind ends a message.
func carries(k matching.Kind) bool { return k == matching.Eager || k == matching.Body }

// writable resumes writing, and reports whether it was blocked. The lock is held.
func (t *Transport) writable(c *conn) bool {
	c.send.again = true
	if !c.send.blocked {
		return false
	}
	c.send.blocked = false
	t.layer.SetReady(c.peer)
	return true
}
