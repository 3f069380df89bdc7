package ranks

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// using has a connection use a congestion control, whatever the host's default is.
func using(algorithm string) func(network, address string, c syscall.RawConn) error {
	return func(_, _ string, c syscall.RawConn) error {
		var err error
		failed := c.Control(func(fd uintptr) {
			err = unix.SetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION, algorithm)
		})
		if err != nil {
			err = fmt.Errorf("TCP with %s: %w (allowed are those of net.ipv4.tcp_allowed_congestion_control)", algorithm, err)
		}
		return errors.Join(failed, err)
	}
}
