package socket

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Close closes a descriptor.
func Close(fd int) { unix.Close(fd) }

// Shutdown ends the stream that is written to fd.
func Shutdown(fd int) { unix.Shutdown(fd, unix.SHUT_WR) }

// Waiting returns how many bytes can be read from fd at once.
func Waiting(fd int) (int, error) {
	n, err := unix.IoctlGetInt(fd, unix.SIOCINQ)
	return n, os.NewSyscallError("ioctl", err)
}

// Readable reports whether there is something to read from fd: bytes, the end, or
// an error.
func Readable(fd int) bool {
	at := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN | unix.POLLRDHUP}}
	n, err := unix.Poll(at, 0)
	return n > 0 || err != nil
}

// Writable reports whether the kernel takes a short write to fd now. If it does not, the Watcher reports when it does.
func Writable(fd int) bool {
	at := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	n, err := unix.Poll(at, 0)
	return n > 0 || err != nil
}

// Short reports whether err means that there are no more descriptors or ports.
func Short(err error) bool {
	for _, errno := range []syscall.Errno{unix.EMFILE, unix.ENFILE, unix.EADDRNOTAVAIL, unix.ENOBUFS, unix.ENOMEM} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// Detach takes the descriptor out of a connection and closes the connection. From then on the
// transport's own event loop uses the descriptor.
func Detach(c *net.TCPConn) (int, error) {
	defer c.Close()
	return Dup(c)
}

// Dup returns another descriptor for a connection.
func Dup(c *net.TCPConn) (int, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return -1, err
	}
	fd, sysErr := -1, error(nil)
	err = raw.Control(func(s uintptr) {
		fd, sysErr = unix.FcntlInt(s, unix.F_DUPFD_CLOEXEC, 0)
	})
	if err == nil {
		err = os.NewSyscallError("fcntl", sysErr)
	}
	if sysErr == syscall.EMFILE {
		err = fmt.Errorf("%w: raise the limit of open files (ulimit -n)", err)
	}
	return fd, err
}
