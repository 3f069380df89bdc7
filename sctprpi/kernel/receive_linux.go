package kernel

import (
	"os"

	"github.com/ishidawataru/sctp"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Receive fills in events, and reads the socket if there are none.
func (e *endpoint) Receive(events []socket.Event) (int, error) {
	if n, err := e.take(events); n > 0 || err != nil || len(events) == 0 {
		return n, err
	}
	if !e.read() {
		return 0, nil
	}
	return e.take(events)
}

// Poll reads the socket, unless there are events that have not been received.
func (e *endpoint) Poll() error {
	if e.Ready() {
		return e.broken()
	}
	e.read()
	return e.broken()
}

func (e *endpoint) broken() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state()
}

// take fills in events that there are.
func (e *endpoint) take(events []socket.Event) (n int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return 0, socket.ErrClosed
	}
	for ; n < len(events) && !e.queue.empty(); n++ {
		var a *association
		events[n], a = e.queue.pop()
		if events[n].Kind == socket.Released {
			e.unblock(a)
		}
	}
	if n == 0 {
		err = e.err
	}
	return n, err
}

// read reads the socket. It reports whether it did: not if another goroutine does.
func (e *endpoint) read() bool {
	if !e.reading.TryLock() {
		return false
	}
	defer e.reading.Unlock()
	for !e.reader.dropped() && e.readSome() { // Close may have come since the caller looked
	}
	return true
}

// readSome reads some records. It reports whether all have come early: they are not reported
// before the socket is known to be empty. Its caller holds reading.
func (e *endpoint) readSome() (again bool) {
	r := &e.reader
	n, empty := 0, false
	for n < readBatch {
		errno := e.receive(&r.records[n])
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			e.unread(errno)
			empty = errno == unix.EAGAIN
			break
		}
		n++
	}
	if n == 0 && e.early.Load() == 0 {
		return false
	}
	e.mu.Lock()
	for i := range r.records[:n] {
		e.handle(&r.records[i])
		r.records[i] = record{}
	}
	if empty {
		e.letAllGo()
	}
	for _, a := range r.opened {
		e.flush(a)
	}
	r.opened = r.opened[:0]
	e.announce()
	again = n == readBatch && e.queue.empty() && e.early.Load() > 0
	e.mu.Unlock()
	for _, f := range r.refused {
		_ = e.command(f.id, sctp.SCTP_ABORT, []byte(f.reason))
	}
	r.refused = r.refused[:0]
	e.admit()
	return again
}

// unread handles that nothing could be read.
func (e *endpoint) unread(errno unix.Errno) {
	switch errno {
	case unix.EAGAIN, unix.EBADF, unix.ENOMEM, unix.ENOBUFS:
	default:
		e.fail(os.NewSyscallError("recvmsg", errno))
	}
}

// fail takes note of what makes the socket unusable.
func (e *endpoint) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.err = err
		e.announce()
	}
}
