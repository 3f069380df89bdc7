package socket

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// The kernel ends no connection because the peer is silent, or takes no data.
func TestTheKernelDoesNotJudgePeers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	dialled, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	accepted, err := l.Accept()
	require.NoError(t, err)
	for _, c := range []net.Conn{dialled, accepted} {
		fd, err := Detach(c.(*net.TCPConn))
		require.NoError(t, err)
		defer Close(fd)
		probes, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_KEEPALIVE)
		require.NoError(t, err)
		require.Zero(t, probes)
		limit, err := unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT)
		require.NoError(t, err)
		require.Zero(t, limit)
	}
}
