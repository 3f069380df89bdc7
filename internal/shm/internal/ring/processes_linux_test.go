package ring

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The tests and benchmarks here run in two processes: the program of the tests starts itself again, as the peer. Both
// map a segment, which the peer has as descriptor 3: two inboxes, and a pair's rings.

const peerEnvironment = "RING_TEST_PEER"

func TestMain(m *testing.M) {
	if os.Getenv(peerEnvironment) == "" {
		os.Exit(m.Run())
	}
	go func() { // it ends with its parent
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	if err := answer(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const (
	pairRingSize = 64 << 10
	inboxesSize  = 4096
	bothSize     = inboxesSize + 2*pairRingSize
)

// side is what one of the two processes has.
type side struct {
	out      *Producer
	in       *Consumer
	inbox    *Inbox
	notifier *Notifier
}

func openSide(mem []byte, number int) (s side, err error) {
	out, in := Pair(mem[inboxesSize:], number == 0)
	line := func(of int) []byte { return mem[of*LineSize : (of+1)*LineSize] }
	if s.out, err = NewProducer(out); err != nil {
		return s, err
	}
	if s.in, err = NewConsumer(in); err != nil {
		return s, err
	}
	if s.inbox, err = NewInbox(line(number), 2); err != nil {
		return s, err
	}
	s.notifier, err = NewNotifier(line(1-number), 2, number)
	s.inbox.Attach(1-number, s.in, s.out, s.notifier)
	return s, err
}

// startPeer starts the other process, and returns this one's side.
func startPeer(t testing.TB) side {
	t.Helper()
	file := memfd(t, bothSize)
	defer file.Close()
	mem := mapped(t, file, bothSize)
	first, second := Pair(mem[inboxesSize:], true)
	require.NoError(t, Format(first))
	require.NoError(t, Format(second))
	require.NoError(t, FormatInbox(mem[:LineSize], 2))
	require.NoError(t, FormatInbox(mem[LineSize:2*LineSize], 2))

	self, err := os.Executable()
	require.NoError(t, err)
	peer := exec.Command(self)
	peer.Env = append(os.Environ(), peerEnvironment+"=1")
	peer.ExtraFiles = []*os.File{file}
	peer.Stderr = os.Stderr
	stdin, err := peer.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, peer.Start())
	t.Cleanup(func() {
		require.NoError(t, stdin.Close())
		require.NoError(t, peer.Wait())
	})
	s, err := openSide(mem, 0)
	require.NoError(t, err)
	s.exchange(t, "echo", nil) // the peer is there
	return s
}

// What the first byte of a header asks of the peer: to send the frame back, or to take it, or to take it and to answer
// with an empty one.
const (
	echo = iota
	take
	acknowledge
)

// exchange sends a frame and waits for the answer, which must be the same.
func (s *side) exchange(t testing.TB, what string, body []byte) {
	header := [HeaderSize]byte{echo, 1, 2, 3}
	ok, err := s.out.Put(&header, body)
	require.NoError(t, err)
	require.True(t, ok)
	var f Frame
	for ok = false; !ok; runtime.Gosched() {
		ok, err = s.in.Next(&f)
		require.NoError(t, err)
	}
	require.Equal(t, header, f.Header, what)
	require.Equal(t, string(body), string(f.Body)+string(f.Rest), what)
	s.in.Done()
}

// answer is what the peer does.
func answer() error {
	mem, err := peerMemory()
	if err != nil {
		return err
	}
	s, err := openSide(mem, 1)
	if err != nil {
		return err
	}
	var f Frame
	body := make([]byte, s.in.Limit())
	for empty := 0; ; empty++ {
		ok, err := s.in.Next(&f)
		if err != nil {
			return err
		}
		if !ok {
			if empty > 10_000 {
				runtime.Gosched()
				empty = 0
			}
			continue
		}
		empty = 0
		n := copy(body, f.Body)
		n += copy(body[n:], f.Rest)
		s.in.Done()
		switch f.Header[0] {
		case take:
			continue
		case acknowledge:
			n = 0
		}
		if _, err := s.out.Put(&f.Header, body[:n]); err != nil {
			return err
		}
		s.notifier.Notify()
	}
}

func TestTwoProcesses(t *testing.T) {
	s := startPeer(t)
	for i := range 50 {
		s.exchange(t, fmt.Sprint(i), frame{i, i * i}.body())
	}
}

// batches runs f, which does n exchanges, in short batches, b.N exchanges in all or a few more, and reports the best and
// the median time of one exchange in nanoseconds. The batches are so short that even on a busy machine most are not
// interrupted. There, say how many exchanges: -benchtime 100000x.
func batches(b *testing.B, n int, f func(n int)) {
	var times []float64
	for left := b.N; left > 0; left -= n {
		start := time.Now()
		f(n)
		times = append(times, float64(time.Since(start).Nanoseconds())/float64(n))
	}
	slices.Sort(times)
	b.ReportMetric(times[0], "best-ns")
	b.ReportMetric(times[len(times)/2], "median-ns")
}

// BenchmarkHalfRoundTrip is the time of a frame to the other process, half of that there and back: with the ring
// alone, and with what a rank does, which is to notify and to look into its inbox.
func BenchmarkHalfRoundTrip(b *testing.B) {
	for _, length := range []int{8, 1024} {
		b.Run(fmt.Sprintf("ring/%d", length), func(b *testing.B) { benchmarkHalfRoundTrip(b, length, false) })
		b.Run(fmt.Sprintf("inbox/%d", length), func(b *testing.B) { benchmarkHalfRoundTrip(b, length, true) })
	}
}

func benchmarkHalfRoundTrip(b *testing.B, length int, withInbox bool) {
	s := startPeer(b)
	var header [HeaderSize]byte
	body, into := make([]byte, length), make([]byte, length)
	ready := make([]int, 0, MaxReady)
	var f Frame
	b.ResetTimer()
	batches(b, 40, func(n int) {
		for range n / 2 { // half round trips
			if _, err := s.out.Put(&header, body); err != nil {
				b.Fatal(err)
			}
			if withInbox {
				s.notifier.Notify()
				for len(s.inbox.Look(ready)) == 0 {
				}
			}
			for ok := false; !ok; {
				ok, _ = s.in.Next(&f)
			}
			copy(into[copy(into, f.Body):], f.Rest)
			s.in.Done()
		}
	})
}

// BenchmarkRate is the time for each of a window of frames to the other process, of which the last is acknowledged.
func BenchmarkRate(b *testing.B) {
	const window = 64
	for _, notify := range []string{"each", "window"} {
		b.Run("notify-"+notify, func(b *testing.B) {
			s := startPeer(b)
			var header [HeaderSize]byte
			var f Frame
			body := make([]byte, 8)
			b.ResetTimer()
			batches(b, window, func(n int) {
				for i := range n {
					header[0] = take
					if i%window == window-1 {
						header[0] = acknowledge
					}
					binary.NativeEndian.PutUint64(body, uint64(i))
					if _, err := s.out.Put(&header, body); err != nil {
						b.Fatal(err)
					}
					if notify == "each" || header[0] == acknowledge {
						s.notifier.Notify()
					}
					if header[0] == acknowledge {
						for ok := false; !ok; {
							ok, _ = s.in.Next(&f)
						}
						s.in.Done()
					}
				}
			})
		})
	}
}
