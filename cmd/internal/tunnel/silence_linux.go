package tunnel

import (
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// limitUnanswered ends the connection when what has been sent is not taken in time. It is for the end whose words are always read: a
// proxy's are not while mpirun is stopped (^Z).
func limitUnanswered(raw net.Conn, limit time.Duration) {
	conn, ok := raw.(*net.TCPConn)
	if !ok {
		return
	}
	if control, err := conn.SyscallConn(); err == nil {
		_ = control.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(limit.Milliseconds()))
		})
	}
}
