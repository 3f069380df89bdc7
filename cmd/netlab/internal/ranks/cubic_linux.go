package ranks

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// withCubic has a connection use CUBIC, whatever the host's default is.
func withCubic(_, _ string, c syscall.RawConn) error {
	var err error
	failed := c.Control(func(fd uintptr) { err = unix.SetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION, "cubic") })
	if failed != nil {
		return failed
	}
	return err
}
