package output

import (
	"bytes"
	"errors"
	"os"
	"sync/atomic"
	"time"
)

// MaxLine is the length in bytes, newline included, up to which a line is kept whole. A longer one is passed on in
// pieces of this length, between which lines of other sources may come.
const MaxLine = 64 << 10

// Source is the reading end of a pipe from a process; [*os.File] is one.
type Source interface {
	Read([]byte) (int, error)
	SetReadDeadline(time.Time) error
	Close() error
}

// Forwarder passes the output of one process on to a sink. It holds at most two buffers of MaxLine bytes.
type Forwarder struct {
	sink   *Sink
	source Source
	label  string
	done   chan struct{}
	idle   atomic.Int64 // nanoseconds without output after which to give up, or 0
}

// Forward starts to pass source on, which it closes in the end. Each line gets the label, if there is one.
func (s *Sink) Forward(source Source, label string) *Forwarder {
	f := &Forwarder{sink: s, source: source, label: label, done: make(chan struct{})}
	go f.run()
	return f
}

// Done is closed when all of the source has been passed on.
func (f *Forwarder) Done() <-chan struct{} { return f.done }

// Drain tells the forwarder that the process is gone: what is left in the pipe is passed on, however slowly the sink
// takes it, but nobody is waited for who still holds the other end and writes nothing for the time idle.
func (f *Forwarder) Drain(idle time.Duration) {
	f.idle.Store(int64(idle))
	if err := f.source.SetReadDeadline(time.Now().Add(idle)); err != nil {
		_ = f.source.Close() // a system whose pipes have no deadlines, or done already
	}
}

func (f *Forwarder) run() {
	defer close(f.done)
	defer f.source.Close()
	buffer := make([]byte, MaxLine)
	var labelled []byte
	pending, lineStart := 0, true // bytes of an unended line at the front of buffer; whether it begins there
	for {
		idle := time.Duration(f.idle.Load())
		if idle > 0 {
			_ = f.source.SetReadDeadline(time.Now().Add(idle))
		}
		n, err := f.source.Read(buffer[pending:])
		have := pending + n
		whole := pending + bytes.LastIndexByte(buffer[pending:have], '\n') + 1
		if whole == pending { // no newline has come
			whole = 0
		}
		if err != nil && errors.Is(err, os.ErrDeadlineExceeded) && idle == 0 {
			err = nil // Drain has only just interrupted this read: look once more
		}
		if err != nil || whole == 0 && have == len(buffer) {
			whole = have
		}
		if whole > 0 {
			lines := buffer[:whole]
			if f.label == "" {
				f.sink.write(f, lines, false)
			} else {
				labelled, lineStart = f.writeLabelled(labelled, lines, lineStart)
			}
			pending = copy(buffer, buffer[whole:have])
		} else {
			pending = have
		}
		if err != nil {
			return
		}
	}
}

// writeLabelled puts the label before each line. It returns the buffer that it has used and whether what comes next
// begins a line.
func (f *Forwarder) writeLabelled(out, lines []byte, lineStart bool) ([]byte, bool) {
	out = out[:0]
	for len(lines) > 0 {
		end := bytes.IndexByte(lines, '\n') + 1
		ended := end > 0
		if !ended {
			end = len(lines)
		}
		if len(out) > 0 && len(out)+len(f.label)+end > 2*MaxLine {
			f.sink.write(f, out, true)
			out = out[:0]
		}
		if lineStart {
			out = append(out, f.label...)
		}
		out = append(out, lines[:end]...)
		lines, lineStart = lines[end:], ended
	}
	f.sink.write(f, out, true)
	return out, lineStart
}
