package proxy

import (
	"bufio"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
)

// line is a connection whose ends say that they are there. What is sent to a while it is cut never comes.
type line struct {
	a, b   *conn
	lost   chan string // by the end that has found the other one silent
	cut    cut
	ending []func()
}

// cut is a writer that can lose everything.
type cut struct {
	io.WriteCloser
	down atomic.Bool
}

func (c *cut) Write(b []byte) (int, error) {
	if c.down.Load() {
		return len(b), nil
	}
	return c.WriteCloser.Write(b)
}

func newLine() *line {
	fromA, toB := io.Pipe()
	fromB, toA := io.Pipe()
	l := &line{lost: make(chan string, 2), cut: cut{WriteCloser: toA}}
	l.a, l.b = newConn(toB, nil, nil), newConn(&l.cut, nil, nil)
	ignore := func(frame.Frame) error { return nil }
	go l.a.read(bufio.NewReader(l.a.listen(fromB)), ignore)
	go l.b.read(bufio.NewReader(l.b.listen(fromA)), ignore)
	go l.a.beat(Beat, func() { l.lost <- "a" })
	go l.b.beat(Beat, func() { l.lost <- "b" })
	l.ending = append(l.ending, func() {
		l.a.fail(io.EOF)
		l.b.fail(io.EOF)
		_ = fromA.Close()
		_ = fromB.Close()
	})
	return l
}

// inTime runs a test of a line in which no real time passes.
func inTime(t *testing.T, test func(t *testing.T, l *line)) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		test(t, l)
		for _, end := range l.ending {
			end()
		}
		synctest.Wait()
	})
}

func TestEndsThatHaveNothingToSayAreThere(t *testing.T) {
	inTime(t, func(t *testing.T, l *line) {
		time.Sleep(24 * time.Hour)
		assert.Empty(t, l.lost)
	})
}

func TestAnEndThatIsSilentForAMinuteIsGone(t *testing.T) {
	inTime(t, func(t *testing.T, l *line) {
		time.Sleep(time.Hour)
		begun := time.Now()
		l.cut.down.Store(true)
		assert.Equal(t, "a", <-l.lost)
		assert.InDelta(t, time.Minute.Seconds(), time.Since(begun).Seconds(), Beat.Seconds())
		assert.Empty(t, l.lost, "the other end hears this one")
	})
}

// What comes slowly comes: a part of a frame is a sign of life.
func TestALongFrameIsASignOfLife(t *testing.T) {
	inTime(t, func(t *testing.T, l *line) {
		l.cut.down.Store(true)
		frame := frame.Append(nil, frame.Frame{Kind: frame.Part, Payload: make([]byte, 100)})
		for _, b := range frame {
			time.Sleep(50 * time.Second)
			_, err := l.cut.WriteCloser.Write([]byte{b})
			assert.NoError(t, err)
		}
		assert.Empty(t, l.lost)
	})
}

// Mpirun says before it stops that it will be silent, and afterwards that it is there again.
func TestAnEndThatRestsIsNotGone(t *testing.T) {
	inTime(t, func(t *testing.T, l *line) {
		l.a.resting.Store(true)
		l.cut.down.Store(true)
		time.Sleep(24 * time.Hour)
		assert.Empty(t, l.lost)
		l.a.resting.Store(false)
		assert.Equal(t, "a", <-l.lost)
	})
}
