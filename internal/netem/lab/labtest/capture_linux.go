package labtest

import (
	"bytes"
	"encoding/binary"
	"net"
	"testing"

	"golang.org/x/sys/unix"
)

// Capture keeps the packets of the loopback device, from their IP headers on, until stop is called, and then those that are
// still to be read. It needs the right to (CAP_NET_RAW), as in a lab or by InNetwork.
func Capture(tb testing.TB) (stop func() (packets [][]byte)) {
	tb.Helper()
	lo, err := net.InterfaceByName("lo")
	if err != nil {
		tb.Fatal(err)
	}
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		tb.Fatal(err)
	}
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 64<<20) // as much as there may be
	all := binary.NativeEndian.Uint16([]byte{0, unix.ETH_P_ALL})        // in network byte order
	timeout := unix.Timeval{Usec: 100_000}
	err = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &timeout)
	if err == nil {
		err = unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: all, Ifindex: lo.Index})
	}
	if err != nil {
		unix.Close(fd)
		tb.Fatal(err)
	}
	ended, captured := make(chan struct{}), make(chan [][]byte)
	go func() {
		defer unix.Close(fd)
		captured <- read(fd, ended)
	}()
	return func() [][]byte {
		close(ended)
		return <-captured
	}
}

// read reads packets until it is to end and no more come.
func read(fd int, ended <-chan struct{}) (packets [][]byte) {
	b := make([]byte, 1<<17)
	for last := false; ; {
		n, _, err := unix.Recvfrom(fd, b, 0)
		switch {
		case err == nil && n > 20:
			packets = append(packets, bytes.Clone(b[:n]))
		case err == unix.EAGAIN && last:
			return packets
		case err == unix.EAGAIN:
			select {
			case <-ended:
				last = true
			default:
			}
		}
	}
}
