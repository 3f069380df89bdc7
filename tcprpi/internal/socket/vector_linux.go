package socket

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Vector is a list of byte slices for one gather or scatter call. It is kept
// and used again, so that a call allocates nothing.
type Vector struct {
	iov [64]unix.Iovec
	n   int
	len int
}

// Reset empties the list.
func (v *Vector) Reset() {
	clear(v.iov[:v.n])
	v.n, v.len = 0, 0
}

// Full reports whether two slices more might not fit.
func (v *Vector) Full() bool { return v.n > len(v.iov)-2 }

// Len is the number of bytes in the list.
func (v *Vector) Len() int { return v.len }

// Add appends a slice, unless it is empty.
func (v *Vector) Add(b []byte) {
	if len(b) > 0 {
		v.iov[v.n].Base = unsafe.SliceData(b)
		v.iov[v.n].SetLen(len(b))
		v.n++
		v.len += len(b)
	}
}

// Write writes the list to fd, as far as the kernel takes it at once.
func (v *Vector) Write(fd int) (int, error) { return v.call(unix.SYS_WRITEV, fd) }

// Read fills the list from fd, as far as the kernel has something.
func (v *Vector) Read(fd int) (int, error) { return v.call(unix.SYS_READV, fd) }

// brief is up to how many bytes are moved by a call that Go's scheduler is not told of: it saves
// much of what a short one takes, and the processor is not given away in the middle of it.
const brief = 80 << 10

func (v *Vector) call(trap uintptr, fd int) (int, error) {
	call := unix.Syscall
	if v.len <= brief {
		call = unix.RawSyscall
	}
	for {
		n, _, errno := call(trap, uintptr(fd), uintptr(unsafe.Pointer(&v.iov[0])), uintptr(v.n))
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}
