package kernel

import (
	"github.com/ishidawataru/sctp"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// userInitiated is the cause of an ABORT that the user wanted (RFC 9260, section
// 3.3.10.12), maxReason how much of the user's reason is sent.
const (
	userInitiated = 12
	maxReason     = 1000
)

// Send queues messages.
func (e *endpoint) Send(id socket.AssocID, messages []socket.Message) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := e.get(id)
	if err != nil || len(messages) == 0 {
		return 0, err
	}
	if err := a.usable(); err != nil {
		return 0, err
	}
	n, invalid := e.valid(a, messages)
	taken, err := e.accept(a, messages[:n])
	if err == nil {
		err = invalid
	}
	e.announce()
	return taken, err
}

// valid returns how many messages can be sent, and why not the next one.
func (e *endpoint) valid(a *association, messages []socket.Message) (int, error) {
	streams := e.config.Streams
	if a.open {
		streams = a.out
	}
	for i := range messages {
		m := &messages[i]
		switch n := size(m.Data); {
		case n == 0:
			return i, socket.ErrEmpty
		case n > e.config.SendBuffer:
			return i, socket.ErrTooLong
		case int(m.Stream) >= streams:
			return i, socket.ErrStream
		}
	}
	return len(messages), nil
}

func size(list [][]byte) (n int) {
	for _, b := range list {
		n += len(b)
	}
	return n
}

// accept takes messages that are valid, and returns how many, and why not all.
func (e *endpoint) accept(a *association, messages []socket.Message) (taken int, err error) {
	room := messages[:min(len(messages), max(0, maxReleases-a.releases-len(a.owed)))]
	switch {
	case len(messages) == 0:
		return 0, nil
	case !a.started:
		taken = e.keepAll(a, room)
		e.stall(a)
	case !a.full():
		if taken, err = e.transmit(a, room); err != nil {
			break
		}
	}
	if err == nil && taken < len(messages) {
		err = socket.ErrWouldBlock
	}
	if err == socket.ErrWouldBlock {
		a.blocked = true
		e.unblock(a) // what was in the way may have gone meanwhile
	}
	return taken, err
}

// transmit gives messages to the kernel, without mu meanwhile. The first one for which
// the kernel has no room is kept.
func (e *endpoint) transmit(a *association, messages []socket.Message) (taken int, err error) {
	a.senders++
	e.mu.Unlock()
	w := writers.Get().(*writer)
	for taken < len(messages) && err == nil {
		batch := messages[taken:min(len(messages), taken+sendBatch)]
		for i := range batch {
			m := &batch[i]
			w.add(infoOf(a.id, m), m.Data...)
		}
		n, errno := w.send(e, taken+len(batch) < len(messages))
		taken, err = taken+n, sendError(errno)
	}
	writers.Put(w)
	e.mu.Lock()
	a.senders--
	if e.closed {
		return taken, socket.ErrClosed
	}
	for i := range messages[:taken] {
		m := &messages[i]
		a.sent += uint64(size(m.Data))
		if m.ZeroCopy {
			e.release(a, m.Owner)
		}
	}
	if err == socket.ErrWouldBlock {
		if unusable := a.usable(); unusable != nil {
			err = unusable
		} else if !a.full() {
			e.keep(a, &messages[taken])
			e.stall(a)
			taken, err = taken+1, nil
		}
	}
	if a.senders == 0 && a.final != nil {
		e.push(a, *a.final)
		a.final = nil
	}
	return taken, err
}

// infoOf is what the kernel is told of a message.
func infoOf(id socket.AssocID, m *socket.Message) sctp.SndInfo {
	info := sctp.SndInfo{SID: uint16(m.Stream), PPID: networkOrder(m.PPID), AssocID: int32(id)}
	if m.Unordered {
		info.Flags |= sctp.SCTP_UNORDERED
	}
	if m.Immediate {
		info.Flags |= sctp.SCTP_SACK_IMMEDIATELY
	}
	return info
}

// Shutdown ends an association gracefully.
func (e *endpoint) Shutdown(id socket.AssocID) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := e.get(id)
	if err != nil || a.leaving {
		return err
	}
	a.leaving = true
	if !a.open || len(a.backlog) > 0 || a.flushing {
		e.stall(a)
		return nil
	}
	return e.leave(a)
}

// leave has the kernel shut an association down, without mu meanwhile.
func (e *endpoint) leave(a *association) error {
	a.left = true
	e.mu.Unlock()
	defer e.mu.Lock()
	return e.command(a.id, sendEOF, nil)
}

// Abort ends an association at once.
func (e *endpoint) Abort(id socket.AssocID, reason string) error {
	e.mu.Lock()
	a, err := e.get(id)
	if err == nil {
		reason = reason[:min(len(reason), maxReason)]
		a.abort = &socket.AbortError{Cause: userInitiated, Reason: reason}
		a.forgo()
	}
	e.mu.Unlock()
	if err != nil {
		return err
	}
	return e.command(id, sctp.SCTP_ABORT, []byte(reason))
}

// SetStreamValue sets the weight or the priority of an outbound stream.
func (e *endpoint) SetStreamValue(id socket.AssocID, stream socket.StreamID, value uint16) error {
	e.mu.Lock()
	a, err := e.get(id)
	if err == nil && int(stream) >= max(a.out, 1) {
		err = socket.ErrStream
	}
	e.mu.Unlock()
	if err != nil {
		return err
	}
	if e.config.Scheduler == socket.Weighted {
		value = max(value, 1)
	}
	v := streamValue{Assoc: int32(id), Stream: uint16(stream), Value: value}
	return e.using(func(fd int) error { return set(fd, optSchedulerValue, v) })
}
