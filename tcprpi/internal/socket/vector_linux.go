package socket

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Vector is a list of byte slices for one gather or scatter call. It is kept
// and used again, so that a call allocates nothing.
type Vector struct {
	iov [64]unix.Iovec
	n   int
	len int
	// packed holds what Gather has copied, used so much of it. The last of the list ends
	// there if packing.
	packed  [4 << 10]byte
	used    int
	packing bool
}

// Reset empties the list.
func (v *Vector) Reset() {
	clear(v.iov[:v.n])
	v.n, v.len, v.used, v.packing = 0, 0, 0, false
}

// Full reports whether two slices more might not fit.
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

// short is up to how many bytes it takes less to copy a slice than to list it.
const short = 256

// Gather is Add for a slice to be written. Short ones, one after the other, become one.
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

// Write writes the list to a socket, as far as the kernel takes it at once.
func (v *Vector) Write(fd int) (int, error) { return v.call(unix.SYS_WRITEV, unix.SYS_SENDTO, fd) }

// Read fills the list from a socket, as far as the kernel has something.
func (v *Vector) Read(fd int) (int, error) { return v.call(unix.SYS_READV, unix.SYS_RECVFROM, fd) }

// brief is up to how many bytes are moved by a call that Go's scheduler is not told of: it saves
// much of what a short one takes, and the processor is not given away in the middle of it.
const brief = 80 << 10

// call makes a system call, for a single slice the one that knows of sockets only, which has less
// to do.
func (v *Vector) call(many, one uintptr, fd int) (int, error) {
	call := unix.Syscall6
	if v.len <= brief {
		call = unix.RawSyscall6
	}
	for {
		var n uintptr
		var errno unix.Errno
		if v.n == 1 {
			n, _, errno = call(one, uintptr(fd), uintptr(unsafe.Pointer(v.iov[0].Base)), uintptr(v.iov[0].Len), unix.MSG_NOSIGNAL, 0, 0)
		} else {
			n, _, errno = call(many, uintptr(fd), uintptr(unsafe.Pointer(&v.iov[0])), uintptr(v.n), 0, 0, 0)
		}
		runtime.KeepAlive(v) // and what it lists
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}
