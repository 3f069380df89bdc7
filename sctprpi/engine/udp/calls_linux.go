package udp

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// calls are the system calls that move messages: the kernel's, or a test's. Each
// moves as many of msgs as it can without blocking and returns how many, or why it
// could not move the first. Bytes is an estimate of what they hold.
type calls struct {
	send func(fd int, msgs []unix.Mmsghdr, bytes int) (int, unix.Errno)
	recv func(fd int, msgs []unix.Mmsghdr) (int, unix.Errno)
}

var kernel = callsBy(unix.SYS_SENDMMSG, unix.SYS_RECVMMSG)

// callsBy returns the system calls of these numbers, or if the kernel has none such, or
// a sandbox forbids them, those that move one message.
func callsBy(sendmmsg, recvmmsg uintptr) calls {
	return calls{
		send: func(fd int, msgs []unix.Mmsghdr, bytes int) (int, unix.Errno) {
			return sendMessages(sendmmsg, fd, msgs, bytes)
		},
		recv: func(fd int, msgs []unix.Mmsghdr) (int, unix.Errno) {
			return recvMessages(recvmmsg, fd, msgs)
		},
	}
}

// brief is up to how many bytes are sent by a raw system call. The Go scheduler is not
// told of that, which saves much of what a short call takes, and keeps the processor
// from being given to another goroutine in the middle of it; but the garbage
// collector may have to wait for its end. It copies 64 KiB in some 10 µs.
const brief = 64 << 10

func sendMessages(sendmmsg uintptr, fd int, msgs []unix.Mmsghdr, bytes int) (int, unix.Errno) {
	var n uintptr
	var errno unix.Errno
	if bytes <= brief {
		n, _, errno = unix.RawSyscall6(sendmmsg, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0])), uintptr(len(msgs)),
			unix.MSG_DONTWAIT, 0, 0)
	} else {
		n, _, errno = unix.Syscall6(sendmmsg, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0])), uintptr(len(msgs)),
			unix.MSG_DONTWAIT, 0, 0)
	}
	if errno == unix.ENOSYS {
		_, _, errno = unix.Syscall(unix.SYS_SENDMSG, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0].Hdr)), unix.MSG_DONTWAIT)
		n = 1
	}
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// recvMessages makes a raw system call: most of the time there is nothing to receive,
// or one short message. At worst it copies 512 KiB.
func recvMessages(recvmmsg uintptr, fd int, msgs []unix.Mmsghdr) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(recvmmsg, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0])), uintptr(len(msgs)),
		unix.MSG_DONTWAIT, 0, 0)
	if errno == unix.ENOSYS {
		n, _, errno = unix.RawSyscall(unix.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0].Hdr)), unix.MSG_DONTWAIT)
		msgs[0].Len, n = uint32(n), 1
	}
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}
