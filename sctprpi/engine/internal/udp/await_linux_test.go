package udp

import (
	"time"

	"golang.org/x/sys/unix"
)

// awaitReadable waits until a descriptor is readable. It reports false if it is not for so long.
func awaitReadable(fd int, limit time.Duration) bool {
	timeout := unix.NsecToTimespec(int64(limit))
	n, _ := unix.Ppoll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, &timeout, nil)
	return n != 0 // or interrupted
}
