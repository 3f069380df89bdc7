package kernel

import (
	"time"

	"github.com/ishidawataru/sctp"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// The time until something is tried again is between these. It grows while attempts fail. The
// kernel reports room in the socket, but not room in one association while another has none.
const (
	shortPause = time.Millisecond
	longPause  = 16 * time.Millisecond
)

// keptOverhead is what a kept message counts for, in bytes, in addition to its length.
const keptOverhead = 128

// kept is a message that waits until its association is up or has room.
type kept struct {
	sctp.SndInfo
	*whole
}

// keepAll keeps as many messages as the send buffer has room for, and returns how many.
func (e *endpoint) keepAll(a *association, messages []socket.Message) int {
	for i := range messages {
		m := &messages[i]
		if len(a.backlog) > 0 && a.backlogged+size(m.Data)+keptOverhead > e.config.SendBuffer {
			return i
		}
		e.keep(a, m)
	}
	return len(messages)
}

// keep keeps a message.
func (e *endpoint) keep(a *association, m *socket.Message) {
	k := kept{infoOf(a.id, m), wholes.Get().(*whole)}
	for _, b := range m.Data {
		k.bytes = append(k.bytes, b...)
	}
	a.backlog = append(a.backlog, k)
	a.backlogged += len(k.bytes) + keptOverhead
	if m.ZeroCopy {
		e.release(a, m.Owner)
	}
}

// stall lists an association for another try.
func (e *endpoint) stall(a *association) {
	if !a.stalled {
		a.stalled = true
		e.stalled = append(e.stalled, a)
	}
	if !e.armed && !e.closed {
		e.armed = true
		e.timer.Reset(e.pause)
	}
}

// retry tries again what has failed before.
func (e *endpoint) retry() {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.stalled
	e.stalled, e.armed = nil, false
	progress := false
	for _, a := range list {
		a.stalled = false
		if e.closed || a.ended {
			continue
		}
		before := a.backlogged
		if !a.open {
			e.lookUp(a)
		}
		e.flush(a)
		progress = progress || a.backlogged < before
		if !a.ended && (len(a.backlog) > 0 || a.leaving && !a.left) {
			e.stall(a)
		}
	}
	e.pause = min(2*e.pause, longPause)
	if progress {
		e.pause = shortPause
	}
	e.announce()
}

// lookUp finds out whether an association is up whose notification has not been read yet. It
// releases mu meanwhile.
func (e *endpoint) lookUp(a *association) {
	e.mu.Unlock()
	status := sctp.Status{AssocID: sctp.SCTPAssocID(a.id)}
	err := ask(e, sctp.SCTP_STATUS, &status)
	e.mu.Lock()
	if err == nil && status.State == stateEstablished && !a.open {
		a.open, a.out, a.in = true, int(status.Ostreams), int(status.Instreams)
	}
}

// flush sends the kept messages of an association, as far as there is room, and then shuts it down
// if the user has asked for that. It releases mu meanwhile.
func (e *endpoint) flush(a *association) {
	if !a.open || a.flushing || a.ended {
		return
	}
	a.flushing = true
	for len(a.backlog) > 0 && e.flushSome(a) {
	}
	a.flushing = false
	a.started = a.started || len(a.backlog) == 0
	switch {
	case len(a.backlog) > 0 || a.ended || e.closed:
	case a.leaving && !a.left:
		_ = e.leave(a) // fails only if it has ended; then the event follows
	default:
		e.unblock(a)
	}
}

// flushSome sends a batch of the kept messages, and reports whether to go on.
func (e *endpoint) flushSome(a *association) bool {
	batch := a.backlog[:min(len(a.backlog), sendBatch)]
	for i := range batch {
		if int(batch[i].SID) >= a.out {
			a.abort = &socket.AbortError{Cause: userInitiated, Reason: "message for a stream that the peer does not offer"}
			a.forgo()
			e.mu.Unlock()
			_ = e.command(a.id, sctp.SCTP_ABORT, []byte(a.abort.Reason))
			e.mu.Lock()
			return false
		}
	}
	w := writers.Get().(*writer)
	for i := range batch {
		w.add(batch[i].SndInfo, batch[i].bytes)
	}
	more := len(a.backlog) > len(batch)
	e.mu.Unlock()
	n, errno := w.send(e, more)
	writers.Put(w)
	e.mu.Lock()
	if a.backlog == nil { // it has ended or restarted
		return false
	}
	for i := range batch[:n] {
		a.sent += uint64(len(batch[i].bytes))
		a.backlogged -= len(batch[i].bytes) + keptOverhead
		batch[i].Release()
		batch[i].whole = nil
	}
	a.backlog = a.backlog[n:]
	switch sendError(errno) {
	case nil:
		return true
	case socket.ErrWouldBlock:
		return false
	}
	a.backlog, a.backlogged = nil, 0 // the event that ends it follows
	return false
}
