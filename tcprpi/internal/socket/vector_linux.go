package socket

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Vector is a list of byte slices for one gather or scatter call. It is kept
// and used again, so that a call allocates nothing.
type Vector struct {
	iov [64]unix.Iovec
	n   int
	len int
	// message is the list for a call that writes it.
	message unix.Msghdr
	// packed holds the slices that Gather has copied; used is their length. packing: the last slice
	// of the list is the end of it.
	packed  [4 << 10]byte
	used    int
	packing bool
	// at is the slice that Scatter fills next, within how much of it is full.
	at, within int
}

// Reset empties the list.
func (v *Vector) Reset() {
	clear(v.iov[:v.n])
	v.n, v.len, v.used, v.packing, v.at, v.within = 0, 0, 0, false, 0, 0
}

// Full reports whether there may be no room for two more slices.
func (v *Vector) Full() bool { return v.n > len(v.iov)-2 }

// Len is the number of bytes in the list.
func (v *Vector) Len() int { return v.len }

// Add appends a slice, unless it is empty.
func (v *Vector) Add(b []byte) {
	if len(b) == 0 {
		return
	}
	v.iov[v.n].Base = unsafe.SliceData(b)
	v.iov[v.n].SetLen(len(b))
	v.n++
	v.len += len(b)
	v.packing = false
}

// trash takes the bytes that Drop discards. Its contents mean nothing: many goroutines have the kernel write to it.
var trash [64 << 10]byte

// Drop adds room for n bytes that are to be read and are of no use, for 64 KiB at most, and returns for how many.
func (v *Vector) Drop(n uint64) int {
	room := int(min(n, uint64(len(trash))))
	v.Add(trash[:room])
	return room
}

// short is the length in bytes up to which copying a slice costs less than listing it.
const short = 256

// Gather adds a slice that is to be written. It copies short slices, and joins neighbours to one.
func (v *Vector) Gather(b []byte) {
	if len(b) == 0 || len(b) > short || len(b) > len(v.packed)-v.used {
		v.Add(b)
		return
	}
	place := v.packed[v.used:][:len(b)]
	copy(place, b)
	v.used += len(b)
	if !v.packing {
		v.Add(place)
		v.packing = true
		return
	}
	last := &v.iov[v.n-1]
	last.SetLen(int(last.Len) + len(b))
	v.len += len(b)
}

// Copy copies bytes of the list to b, without the first skip ones and as many as there is room for, and returns how many.
func (v *Vector) Copy(b []byte, skip int) (n int) {
	for i := 0; i < v.n && n < len(b); i++ {
		from := v.slice(i)
		k := min(skip, len(from))
		skip -= k
		n += copy(b[n:], from[k:])
	}
	return n
}

// Scatter copies b to where the list has room, behind what Scatter has copied before, and returns how much there was room for.
func (v *Vector) Scatter(b []byte) (n int) {
	for v.at < v.n && n < len(b) {
		place := v.slice(v.at)[v.within:]
		k := min(len(place), len(b)-n)
		if v.iov[v.at].Base != &trash[0] {
			copy(place, b[n:])
		}
		n += k
		if v.within += k; k == len(place) {
			v.at, v.within = v.at+1, 0
		}
	}
	return n
}

func (v *Vector) slice(i int) []byte { return unsafe.Slice(v.iov[i].Base, int(v.iov[i].Len)) }

// Write writes the list to a socket, as much as the kernel takes without blocking. A connection that is closed is an error, and no
// SIGPIPE, which may end a program that is not Go's.
func (v *Vector) Write(fd int) (int, error) {
	v.message.Iov = &v.iov[0]
	v.message.SetIovlen(v.n)
	return v.call(fd, unix.SYS_SENDTO, unix.SYS_SENDMSG, unsafe.Pointer(&v.message), unix.MSG_NOSIGNAL)
}

// Read fills the list from a socket, as much as the kernel has.
func (v *Vector) Read(fd int) (int, error) {
	return v.call(fd, unix.SYS_RECVFROM, unix.SYS_READV, unsafe.Pointer(&v.iov[0]), uintptr(v.n))
}

// brief is the length in bytes up to which Go's scheduler is not told of a call. That saves much of
// the cost of a short call, and the thread keeps its processor meanwhile.
const brief = 80 << 10

// call makes a system call. For a single slice it uses the call one, which costs less, and otherwise the call many, with its arguments.
func (v *Vector) call(fd int, one, many uintptr, list unsafe.Pointer, argument uintptr) (int, error) {
	call := unix.Syscall6
	if v.len <= brief {
		call = unix.RawSyscall6
	}
	for touched := false; ; {
		var n uintptr
		var errno unix.Errno
		if v.n == 1 {
			n, _, errno = call(one, uintptr(fd), uintptr(unsafe.Pointer(v.iov[0].Base)), uintptr(v.iov[0].Len), unix.MSG_NOSIGNAL, 0, 0)
		} else {
			n, _, errno = call(many, uintptr(fd), uintptr(list), argument, 0, 0, 0)
		}
		runtime.KeepAlive(v) // and what it lists
		switch {
		case errno == 0:
			return int(n), nil
		case errno == unix.EINTR:
		case errno == unix.EFAULT && !touched:
			touched = true
			v.touch(one == unix.SYS_SENDTO)
		default:
			return 0, errno
		}
	}
}

// touch meets the fault that a call has reported.
func (v *Vector) touch(reading bool) {
	for _, part := range v.iov[:v.n] {
		if b := unsafe.Slice(part.Base, part.Len); reading {
			rpi.TouchToRead(b)
		} else {
			rpi.TouchToWrite(b)
		}
	}
}

// Send writes b to a socket, as much of it as the kernel takes without blocking. b lies in the heap, as what a Vector lists
// does: a stack could move while its address is a number.
func Send(fd int, b []byte) (int, error) { return oneSlice(unix.SYS_SENDTO, fd, b) }

// Receive fills b from a socket, as much as the kernel has. b lies in the heap.
func Receive(fd int, b []byte) (int, error) { return oneSlice(unix.SYS_RECVFROM, fd, b) }

func oneSlice(number uintptr, fd int, b []byte) (int, error) {
	call := unix.Syscall6
	if len(b) <= brief {
		call = unix.RawSyscall6
	}
	for {
		n, _, errno := call(number, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), unix.MSG_NOSIGNAL, 0, 0)
		runtime.KeepAlive(b)
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}
