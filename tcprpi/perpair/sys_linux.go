package perpair

import (
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// vector is a list of byte slices for one gather or scatter call. It is kept
// and used again, so that a call allocates nothing.
type vector struct {
	iov [64]unix.Iovec
	n   int
}

func (v *vector) reset() { v.n = 0 }

// full reports whether a frame more might not fit.
func (v *vector) full() bool { return v.n > len(v.iov)-2 }

func (v *vector) add(b []byte) {
	if len(b) > 0 {
		v.iov[v.n].Base = unsafe.SliceData(b)
		v.iov[v.n].SetLen(len(b))
		v.n++
	}
}

func (v *vector) write(fd int) (int, error) { return v.call(unix.SYS_WRITEV, fd) }
func (v *vector) read(fd int) (int, error)  { return v.call(unix.SYS_READV, fd) }

func (v *vector) call(trap uintptr, fd int) (int, error) {
	for {
		n, _, errno := unix.Syscall(trap, uintptr(fd), uintptr(unsafe.Pointer(&v.iov[0])), uintptr(v.n))
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}

func closeFD(fd int)    { unix.Close(fd) }
func shutdownFD(fd int) { unix.Shutdown(fd, unix.SHUT_WR) }

// detach takes the descriptor out of a connection, which it closes: from
// there on the transport's own event loop has it. A peer that has vanished
// is noticed after silence, the time that unacknowledged data or an
// unanswered probe may take.
func detach(c *net.TCPConn, silence time.Duration) (int, error) {
	defer c.Close()
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
