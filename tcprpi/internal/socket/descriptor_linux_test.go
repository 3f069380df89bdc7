package socket

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// pair returns the descriptors of both ends of a connection, and of the listener.
func pair(t *testing.T) (ends []int, listener int) {
	var meter Meter
	l, w, err := Open(rpi.Config{Size: 2}.WithDefaults(), &meter)
	require.NoError(t, err)
	t.Cleanup(func() { Release(l, w) })
	dialled, err := Dial(t.Context(), l.Addr().String(), &meter)
	require.NoError(t, err)
	accepted, err := l.AcceptTCP()
	require.NoError(t, err)
	for _, c := range []*net.TCPConn{dialled, accepted} {
		fd, err := Detach(c)
		require.NoError(t, err)
		t.Cleanup(func() { Close(fd) })
		ends = append(ends, fd)
	}
	raw, err := l.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(s uintptr) { listener = int(s) }))
	return ends, listener
}

func option(t *testing.T, fd, level, name int) int {
	t.Helper()
	value, err := unix.GetsockoptInt(fd, level, name)
	require.NoError(t, err)
	return value
}

// The kernel ends no connection because the peer is silent, or takes no data.
func TestTheKernelDoesNotJudgePeers(t *testing.T) {
	ends, _ := pair(t)
	for _, fd := range ends {
		require.Zero(t, option(t, fd, unix.SOL_SOCKET, unix.SO_KEEPALIVE))
		require.Zero(t, option(t, fd, unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT))
	}
}

// No end is of Multipath TCP, which would cost each connection a fallback.
func TestConnectionsAreOfPlainTCP(t *testing.T) {
	ends, listener := pair(t)
	for _, fd := range append(ends, listener) {
		require.Equal(t, unix.IPPROTO_TCP, option(t, fd, unix.SOL_SOCKET, unix.SO_PROTOCOL))
	}
}
