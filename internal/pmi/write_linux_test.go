package pmi

import (
	"net"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A program that is not Go's may not have a handler for SIGPIPE, and would end.
func TestALauncherThatIsGoneRaisesNoSignal(t *testing.T) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	require.NoError(t, unix.Close(pair[1]))
	file := os.NewFile(uintptr(pair[0]), "PMI_FD")
	conn, err := net.FileConn(file)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	defer conn.Close()
	got := make(chan os.Signal, 4)
	signal.Notify(got, syscall.SIGPIPE, syscall.SIGUSR1)
	defer signal.Stop(got)
	require.ErrorIs(t, write(conn, []byte("cmd=finalize\n")), unix.EPIPE)
	for range 2 { // a signal of before arrives with the first one at the latest
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGUSR1))
		require.Equal(t, syscall.SIGUSR1, <-got)
	}
}
