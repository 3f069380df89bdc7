package socket

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

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

// Short reports whether err says that descriptors or ports have run out.
func Short(err error) bool {
	for _, errno := range []syscall.Errno{unix.EMFILE, unix.ENFILE, unix.EADDRNOTAVAIL, unix.ENOBUFS, unix.ENOMEM} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// Detach takes the descriptor out of a connection, which it closes: from
// there on the transport's own event loop has it.
func Detach(c *net.TCPConn, silence time.Duration) (int, error) {
	defer c.Close()
	return Dup(c, silence)
}

// Dup returns another descriptor for a connection. A peer that has vanished
// is noticed after silence, the time that unacknowledged data or an
// unanswered probe may take.
func Dup(c *net.TCPConn, silence time.Duration) (int, error) {
	if err := c.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: silence / 2, Interval: silence / 8, Count: 4}); err != nil {
		return -1, err
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return -1, err
	}
	fd, sysErr := -1, error(nil)
	err = raw.Control(func(s uintptr) {
		sysErr = unix.SetsockoptInt(int(s), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silence.Milliseconds()))
		if sysErr == nil {
			fd, sysErr = unix.FcntlInt(s, unix.F_DUPFD_CLOEXEC, 0)
		}
	})
	if err == nil {
		err = os.NewSyscallError("detach", sysErr)
	}
	if sysErr == syscall.EMFILE {
		err = fmt.Errorf("%w: raise the limit of open files (ulimit -n)", err)
	}
	return fd, err
}
