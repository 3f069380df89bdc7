package pmi

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// write writes a line. A launcher that is gone is an error, and no SIGPIPE, which ends a program that is not Go's.
func write(conn net.Conn, line []byte) error {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		_, err := conn.Write(line)
		return err
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Write(func(fd uintptr) (done bool) {
		for len(line) > 0 {
			n, err := unix.SendmsgN(int(fd), line, nil, nil, unix.MSG_NOSIGNAL)
			switch err {
			case nil:
				line = line[n:]
			case unix.EINTR:
			case unix.EAGAIN:
				return false
			default:
				failed = err
				return true
			}
		}
		return true
	})
	if err != nil {
		return err
	}
	return failed
}
