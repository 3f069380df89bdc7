package meeting

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestASegmentKeepsItsSize(t *testing.T) {
	keepsNothing(t)
	s := segment(t)
	require.Equal(t, make([]byte, size), s.Bytes())
	var stat unix.Stat_t
	require.NoError(t, unix.Fstat(s.fd, &stat))
	require.GreaterOrEqual(t, stat.Blocks*512, int64(size), "all of it is allocated")
	for _, n := range []int64{0, size - 1, size + 1} {
		require.Equal(t, unix.EPERM, unix.Ftruncate(s.fd, n))
	}
	require.Equal(t, unix.EPERM, unix.Fallocate(s.fd, 0, size, 1))
	_, err := unix.FcntlInt(uintptr(s.fd), unix.F_ADD_SEALS, unix.F_SEAL_WRITE)
	require.Equal(t, unix.EPERM, err)
	s.CloseFile()
	s.CloseFile()
	s.Bytes()[size-1] = 1
	s.Close()
	require.Nil(t, s.Bytes())
}

// TestAHoleInASegment: a peer can free pages again. They come back as zeroes, and the process lives on.
func TestAHoleInASegment(t *testing.T) {
	keepsNothing(t)
	s := segment(t)
	s.Bytes()[0] = 1
	require.NoError(t, unix.Fallocate(s.fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 0, size))
	require.Equal(t, make([]byte, size), s.Bytes())
}

func TestLargeSegments(t *testing.T) {
	keepsNothing(t)
	large := 5<<20 + os.Getpagesize() // allocated in several steps, the last one shorter
	s, err := NewSegment(large)
	require.NoError(t, err)
	defer s.Close()
	require.Len(t, s.Bytes(), large)
	mapped, err := mapSegment(s.fd, int64(large))
	require.NoError(t, err)
	mapped.Close()
}

func TestSizesThatCannotBe(t *testing.T) {
	keepsNothing(t)
	for _, n := range []int{-4096, -1, 0, 1, os.Getpagesize() + 1} {
		_, err := NewSegment(n)
		require.Error(t, err, n)
	}
}

// TestNoDescriptorIsFree: what cannot be made leaves nothing.
func TestNoDescriptorIsFree(t *testing.T) {
	keepsNothing(t)
	var limit unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	l, eventfd := listener(t, config(0)), doorbell(t)
	full := limit
	full.Cur = 1 // which is in use; with 0 the system takes a duplicate for a wrong argument
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &full))
	_, segment := NewSegment(size)
	_, bell := DoorbellOf(eventfd.fd)
	_, listening := Listen(config(2))
	_, dialing := Dial(t.Context(), config(1), 0, l.Place())
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit))
	for _, err := range []error{segment, bell, listening, dialing} {
		require.ErrorIs(t, err, unix.EMFILE)
	}

	one, other := pair(t)
	require.NoError(t, one.send(t.Context(), offerOf(0, 0, 1), []int{doorbell(t).fd}))
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &full))
	_, receiving := other.Exchange(t.Context(), Offer{})
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit))
	require.ErrorIs(t, receiving, ErrDescriptors)
}
