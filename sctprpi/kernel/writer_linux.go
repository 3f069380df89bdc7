package kernel

import (
	"sync"
	"unsafe"

	"github.com/ishidawataru/sctp"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// sendEOF is SCTP_EOF, a flag of sctp.SndInfo. The module has another number than Linux.
const sendEOF = unix.MSG_FIN

const (
	sendBatch = 64
	maxIovecs = 1024 // UIO_MAXIOV
)

// writer is what sending needs.
type writer struct {
	messages [sendBatch]unix.Mmsghdr
	controls [sendBatch]struct {
		unix.Cmsghdr
		sctp.SndInfo
	}
	iovecs []unix.Iovec
	// first says where in iovecs each message's begin.
	first [sendBatch + 1]int
	n     int
}

var writers = sync.Pool{New: func() any { return new(writer) }}

// add adds a message with a gather list.
func (w *writer) add(info sctp.SndInfo, list ...[]byte) {
	w.first[w.n] = len(w.iovecs)
	for _, b := range list {
		if len(b) > 0 {
			var v unix.Iovec
			v.Base = &b[0]
			v.SetLen(len(b))
			w.iovecs = append(w.iovecs, v)
		}
	}
	if len(w.iovecs)-w.first[w.n] > maxIovecs {
		w.iovecs = w.iovecs[:w.first[w.n]]
		w.add(info, join(list))
		return
	}
	c := &w.controls[w.n]
	c.Level, c.Type = unix.IPPROTO_SCTP, sctp.SCTP_CMSG_SNDINFO
	c.SetLen(int(unsafe.Sizeof(*c)))
	c.SndInfo = info
	w.n++
	w.first[w.n] = len(w.iovecs)
}

func join(list [][]byte) []byte {
	var all []byte
	for _, b := range list {
		all = append(all, b...)
	}
	return all
}

// send sends what has been added, and returns how many messages the kernel has taken.
// If more are to follow, it may wait for them to fill a packet.
func (w *writer) send(e *endpoint, more bool) (sent int, errno unix.Errno) {
	for i := range w.n {
		h, c := &w.messages[i].Hdr, &w.controls[i]
		list := w.iovecs[w.first[i]:w.first[i+1]]
		*h = unix.Msghdr{Control: (*byte)(unsafe.Pointer(c))}
		h.SetControllen(int(unsafe.Sizeof(*c)))
		if len(list) > 0 {
			h.Iov = &list[0]
			h.SetIovlen(len(list))
		}
	}
	// All but the last are to be bundled with what follows.
	bundled := w.n
	if !more {
		bundled--
	}
	sent, errno = w.sendmmsg(e, 0, bundled, unix.MSG_MORE)
	if errno == 0 && !more {
		var last int
		last, errno = w.sendmmsg(e, bundled, w.n, 0)
		sent += last
	}
	w.reset()
	return sent, errno
}

// sendmmsg sends messages from i to n.
func (w *writer) sendmmsg(e *endpoint, i, n, flags int) (sent int, errno unix.Errno) {
	e.use.RLock()
	defer e.use.RUnlock()
	if e.shut {
		return 0, unix.EBADF
	}
	for touched := false; i+sent < n; {
		e.calls.Add(1)
		k, _, errno := unix.Syscall6(unix.SYS_SENDMMSG, uintptr(e.fd), uintptr(unsafe.Pointer(&w.messages[i+sent])),
			uintptr(n-i-sent), uintptr(flags|unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL), 0, 0)
		switch {
		case errno == 0:
			sent += int(k)
		case errno == unix.EINTR:
		case errno == unix.EFAULT && !touched:
			touched = true
			w.touch()
		default:
			return sent, errno
		}
	}
	return sent, 0
}

// touch meets the fault that a call has reported.
func (w *writer) touch() {
	for _, part := range w.iovecs {
		socket.Touch(unsafe.Slice(part.Base, part.Len))
	}
}

// reset forgets the messages.
func (w *writer) reset() {
	clear(w.iovecs)
	w.iovecs = w.iovecs[:0]
	clear(w.messages[:w.n])
	w.n = 0
}

// command has the kernel shut an association down, or abort it.
func (e *endpoint) command(id socket.AssocID, flags uint16, reason []byte) error {
	w := writers.Get().(*writer)
	defer writers.Put(w)
	w.add(sctp.SndInfo{Flags: flags, AssocID: int32(id)}, reason)
	_, errno := w.send(e, false)
	return sendError(errno)
}

// sendError is what the contract calls an error of sending.
func sendError(errno unix.Errno) error {
	switch errno {
	case 0:
		return nil
	case unix.EAGAIN, unix.ENOBUFS, unix.ENOMEM:
		return socket.ErrWouldBlock
	case unix.ESHUTDOWN:
		return socket.ErrShutdown
	case unix.EMSGSIZE:
		return socket.ErrTooLong
	case unix.EBADF:
		return socket.ErrClosed
	case unix.EINVAL: // there are fewer streams since the peer has restarted
		return socket.ErrStream
	}
	return socket.ErrAssoc // EPIPE, ECONNRESET and the like
}
