package socket

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Whatever is gathered is written as if it were one slice, in few system calls' slices.
func TestGatherKeepsOrderAndPacksWhatIsShort(t *testing.T) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
	require.NoError(t, err)
	far := os.NewFile(uintptr(fds[1]), "far")
	defer far.Close()
	defer unix.Close(fds[0])
	rng := rand.New(rand.NewPCG(1, 1))
	sizes := []int{0, 1, 8, 40, short - 1, short, short + 1, 1000}
	var v Vector
	for range 1000 {
		v.Reset()
		var want []byte
		for !v.Full() && v.Len() < 20_000 {
			b := make([]byte, sizes[rng.IntN(len(sizes))])
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			if rng.IntN(5) == 0 {
				v.Add(b)
			} else {
				v.Gather(b)
			}
			want = append(want, b...)
		}
		require.Equal(t, len(want), v.Len())
		n, err := v.Write(fds[0])
		require.NoError(t, err)
		require.Equal(t, len(want), n)
		got := make([]byte, n)
		_, err = io.ReadFull(far, got)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
	}
	v.Reset()
	for range 32 {
		v.Gather(make([]byte, 40))
		v.Gather(make([]byte, 8))
	}
	require.Equal(t, 1, v.n)
}

// A program that is not Go's may not have a handler for SIGPIPE, and would end.
func TestWritingToAClosedConnectionRaisesNoSignal(t *testing.T) {
	got := make(chan os.Signal, 4)
	signal.Notify(got, syscall.SIGPIPE, syscall.SIGUSR1)
	defer signal.Stop(got)
	for slices := 1; slices <= 2; slices++ {
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
		require.NoError(t, err)
		defer unix.Close(fds[0])
		require.NoError(t, unix.Close(fds[1]))
		var v Vector
		for range slices {
			v.Add(make([]byte, 1000))
		}
		_, err = v.Write(fds[0])
		require.ErrorIs(t, err, unix.EPIPE)
		for range 2 { // a signal of before arrives with the first one at the latest
			require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGUSR1))
			require.Equal(t, syscall.SIGUSR1, <-got, "%d slices", slices)
		}
	}
}
