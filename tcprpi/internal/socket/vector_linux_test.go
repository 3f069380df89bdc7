package socket

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
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
