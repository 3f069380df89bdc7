package onecopy

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestReadReadsAllOrNothing(t *testing.T) {
	p := startPeer(t)
	page := os.Getpagesize()
	for _, c := range []struct{ offset, size int }{
		{0, 0}, {0, 1}, {page - 1, 1}, {page - 1, 2}, {page, page}, {page - 1, page + 2},
		{5, longest}, {5, longest + 1}, {3, 64 << 20}, {area - 1, 1}, {area - page, page}, {area, 0},
	} {
		dst := make([]byte, c.size+2) // a byte on each side must stay
		n, err := p.Read(dst[1:1+c.size], p.memory+uint64(c.offset))
		require.NoError(t, err, c)
		require.Equal(t, c.size, n, c)
		require.True(t, dst[0] == 0 && dst[c.size+1] == 0, c)
		for i := range c.size {
			if dst[1+i] != at(c.offset+i) {
				require.Equal(t, at(c.offset+i), dst[1+i], "%v, byte %d", c, i)
			}
		}
	}
}

func TestMemoryThatThePeerDoesNotHave(t *testing.T) {
	p := startPeer(t)
	page := uint64(os.Getpagesize())
	for _, c := range []struct {
		name string
		addr uint64
		size int
	}{
		{"behind its memory", p.memory + area, 1},
		{"its last byte and the next", p.memory + area - 1, 2},
		{"its last page and the next", p.memory + area - page, int(2 * page)},
		{"its last pieces and the next byte", p.memory + area - 2*longest, 2*longest + 1},
		{"address 0", 0, 1},
		{"the first page", 0, int(page)},
		{"the kernel", 1 << 63, 8},
		{"the last byte there can be", math.MaxUint64, 1},
		{"beyond the last byte", math.MaxUint64 - 3, 100},
		{"beyond the last byte, in pieces", math.MaxUint64 - longest, 3 * longest},
	} {
		n, err := p.Read(make([]byte, c.size), c.addr)
		assert.Equal(t, ErrRange, err, c.name)
		assert.Zero(t, n, c.name)
	}
	require.NoError(t, p.Probe(p.beacon), "the peer lives on")
}

func TestThePeersEnd(t *testing.T) {
	p := startPeer(t)
	require.True(t, p.Alive())
	p.kill(t)
	check := func() {
		t.Helper()
		for _, size := range []int{0, 1, 1 << 20} {
			n, err := p.Read(make([]byte, size), p.memory)
			assert.Equal(t, ErrGone, err)
			assert.Zero(t, n)
		}
		assert.Equal(t, ErrGone, p.Probe(p.beacon))
		assert.False(t, p.Alive())
	}
	check() // a zombie
	p.command.Wait()
	check() // nothing of it is left
}

// TestANumberThatIsUsedAgain: the process of the number can be read, but it is not the one of the pidfd.
func TestANumberThatIsUsedAgain(t *testing.T) {
	dead, other := startPeer(t), startPeer(t)
	dead.kill(t)
	dst := make([]byte, 16)
	require.NoError(t, read(other.pid, dst, other.memory))
	n, err := NewReader(other.pid, dead.pidfd).Read(dst, other.memory)
	require.Equal(t, ErrGone, err)
	require.Zero(t, n)
}

// TestTheEndOfAPeerThatIsBeingRead: each read is complete, or says that the peer has ended.
func TestTheEndOfAPeerThatIsBeingRead(t *testing.T) {
	for range 5 {
		p := startPeer(t)
		dst := make([]byte, 8<<20)
		reading := make(chan struct{})
		ended := make(chan error)
		go func() {
			for i := 0; ; i++ {
				n, err := p.Read(dst, p.memory)
				if err != nil {
					ended <- err
					return
				}
				if n != len(dst) || dst[n-1] != at(n-1) {
					ended <- fmt.Errorf("%d bytes, the last %d", n, dst[n-1])
					return
				}
				if i == 0 {
					close(reading)
				}
			}
		}()
		<-reading
		require.NoError(t, p.command.Process.Signal(unix.SIGKILL))
		require.Equal(t, ErrGone, <-ended)
	}
}

func TestAPidfdThatIsNotOpen(t *testing.T) {
	for _, pidfd := range []int{-1, 1 << 20} {
		n, err := NewReader(os.Getpid(), pidfd).Read(nil, 0)
		require.Error(t, err)
		require.Zero(t, n)
		require.False(t, NewReader(os.Getpid(), pidfd).Alive())
	}
}

func TestProbeBelievesOnlyTheNonce(t *testing.T) {
	p := startPeer(t)
	wrong := append([]byte(nil), p.beacon...)
	wrong[len(wrong)-1] ^= 1
	require.Equal(t, ErrProbe, p.Probe(wrong))
	require.Equal(t, ErrProbe, p.Probe(p.beacon[1:]))
	require.Equal(t, ErrProbe, p.Probe(nil))
	binary.BigEndian.PutUint64(wrong, 0)
	require.Equal(t, ErrRange, p.Probe(wrong))
	require.NoError(t, p.Probe(p.beacon))
}

func TestThisProcessReadsItself(t *testing.T) {
	pidfd, err := unix.PidfdOpen(os.Getpid(), 0)
	require.NoError(t, err)
	defer unix.Close(pidfd)
	b := NewBeacon()
	defer b.Close()
	runtime.GC()
	require.NoError(t, NewReader(os.Getpid(), pidfd).Probe(b.Encode()))
}

func TestAllowReaders(t *testing.T) {
	require.NoError(t, AllowReaders(os.Getppid()))
	require.NoError(t, AllowReaders(os.Getpid()))
	require.Error(t, AllowReaders(0))
	require.Error(t, AllowReaders(-1), "the kernel takes it for all processes")
}

func BenchmarkRead(b *testing.B) {
	p := startPeer(b)
	for _, size := range []int{1, 4 << 10, 64 << 10, 1 << 20, 4 << 20, 64 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			dst := make([]byte, size)
			b.SetBytes(int64(size))
			for b.Loop() {
				if _, err := p.Read(dst, p.memory); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(size)*8*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "Gbit/s")
		})
	}
}
