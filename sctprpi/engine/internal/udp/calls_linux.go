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
	if len(msgs) > 1 {
		var n uintptr
		var errno unix.Errno
		if bytes <= brief {
			n, _, errno = unix.RawSyscall6(sendmmsg, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0])), uintptr(len(msgs)),
				unix.MSG_DONTWAIT, 0, 0)
		} else {
			n, _, errno = unix.Syscall6(sendmmsg, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0])), uintptr(len(msgs)),
				unix.MSG_DONTWAIT, 0, 0)
		}
		if errno != unix.ENOSYS {
			return moved(n, errno)
		}
	}
	return moved(1, sendMessage(fd, &msgs[0].Hdr))
}

// sendMessage sends one message, which is always brief, by the call that takes least: sendto
// copies neither header nor gather list.
func sendMessage(fd int, h *unix.Msghdr) (errno unix.Errno) {
	if h.Iovlen == 1 && h.Controllen == 0 {
		_, _, errno = unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(h.Iov.Base)), uintptr(h.Iov.Len),
			unix.MSG_DONTWAIT, uintptr(unsafe.Pointer(h.Name)), uintptr(h.Namelen))
	} else {
		_, _, errno = unix.RawSyscall(unix.SYS_SENDMSG, uintptr(fd), uintptr(unsafe.Pointer(h)), unix.MSG_DONTWAIT)
	}
	return errno
}

// recvMessages makes a raw system call: most of the time there is nothing to receive,
// or one short message. At worst it copies 512 KiB.
func recvMessages(recvmmsg uintptr, fd int, msgs []unix.Mmsghdr) (int, unix.Errno) {
	if len(msgs) > 1 {
		n, _, errno := unix.RawSyscall6(recvmmsg, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0])), uintptr(len(msgs)),
			unix.MSG_DONTWAIT, 0, 0)
		if errno != unix.ENOSYS {
			return moved(n, errno)
		}
	}
	n, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0].Hdr)), unix.MSG_DONTWAIT)
	msgs[0].Len = uint32(n)
	return moved(1, errno)
}

// moved is how many messages a call has moved.
func moved(n uintptr, errno unix.Errno) (int, unix.Errno) {
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}
