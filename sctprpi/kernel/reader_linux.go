package kernel

import (
	"unsafe"

	"github.com/ishidawataru/sctp"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// readBatch is how many records are read before events are made of them.
const readBatch = 64

// rcvInfo is struct sctp_rcvinfo, which the module does not have.
type rcvInfo struct {
	stream, ssn, flags uint16
	_                  uint16
	ppid               uint32 // network order
	tsn, cumTSN        uint32
	context            uint32
	assoc              int32
}

// record is what one call of recvmsg gives.
type record struct {
	rcvInfo
	notification bool
	end          bool // of a message or notification
	payload      []byte
	memory       *slab
	// of a notification: the peer's primary address
	peer socket.Addr
}

// reader is what reading needs.
type reader struct {
	slab   *slab
	offset int

	header  unix.Msghdr
	iov     unix.Iovec
	name    [unix.SizeofSockaddrInet6]byte
	control struct {
		unix.Cmsghdr
		info rcvInfo
		_    [8]byte
	}
	records [readBatch]record
	// skipping: the rest of a notification comes, of which nothing is needed.
	skipping bool
	// opened and refused are associations that have something to be done about
	// after their records have been handled.
	opened  []*association
	refused []refusal
}

// refusal is an association to be aborted.
type refusal struct {
	id     socket.AssocID
	reason string
}

func (r *reader) init() {
	r.slab = newSlab()
	r.header.Iov = &r.iov
	r.header.SetIovlen(1)
	r.header.Name = &r.name[0]
	r.header.Control = (*byte)(unsafe.Pointer(&r.control))
}

func (r *reader) drop() {
	r.slab.Release()
	r.slab = nil
}

// dropped reports whether drop has been called, after which nothing can be received.
func (r *reader) dropped() bool { return r.slab == nil }

// room makes room for what is received next.
func (r *reader) room() []byte {
	if r.slab.loans.Load() == 1 { // all have been given back
		r.offset = 0
	}
	if slabSize-r.offset < slabRoom {
		r.slab.Release()
		r.slab, r.offset = newSlab(), 0
	}
	return r.slab.bytes[r.offset:]
}

// receive receives one record.
func (e *endpoint) receive(into *record) unix.Errno {
	r := &e.reader
	room := r.room()
	r.iov.Base = &room[0]
	r.iov.SetLen(len(room))
	r.header.Namelen = uint32(len(r.name))
	r.header.SetControllen(int(unsafe.Sizeof(r.control)))
	r.header.Flags = 0
	n, errno := e.recvmsg()
	if errno != 0 {
		return errno
	}
	*into = record{
		notification: r.header.Flags&sctp.MSG_NOTIFICATION != 0,
		end:          r.header.Flags&unix.MSG_EOR != 0,
		payload:      room[:n:n],
	}
	if into.notification {
		e.identify(into)
		return 0
	}
	if r.control.Level == unix.IPPROTO_SCTP && r.control.Type == sctp.SCTP_CMSG_RCVINFO {
		into.rcvInfo = r.control.info
	}
	into.memory = r.slab
	r.slab.loans.Add(1)
	r.offset += (n + 7) &^ 7
	return 0
}

func (e *endpoint) recvmsg() (int, unix.Errno) {
	e.use.RLock()
	defer e.use.RUnlock()
	if e.shut {
		return 0, unix.EBADF
	}
	e.calls.Add(1)
	n, _, errno := unix.Syscall(unix.SYS_RECVMSG, uintptr(e.fd), uintptr(unsafe.Pointer(&e.reader.header)), unix.MSG_DONTWAIT)
	return int(n), errno
}

// identify finds out which peer a notification is about. It copies what is kept until the
// notification is handled, as the memory is used again at once.
func (e *endpoint) identify(r *record) {
	r.payload = append([]byte(nil), r.payload...)
	n, _, ok := decode[assocChange](r.payload)
	if !ok || sctp.SCTPNotificationType(n.Type) != sctp.SCTP_ASSOC_CHANGE {
		return
	}
	addr, _ := parseSockaddr(e.reader.name[:])
	r.peer = e.known(n.Assoc, addr)
	if n.State == sctp.SCTP_COMM_UP {
		e.settleRTO(n.Assoc)
	}
}
