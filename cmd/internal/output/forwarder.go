package output

import (
	"bytes"
	"time"
)

// MaxLine is the length in bytes, newline included, up to which a line is kept whole. A longer one is passed on in
// pieces of this length, between which lines of other sources may come.
const MaxLine = 64 << 10

// Forwarder passes the output of one process on to a sink. It holds at most two buffers of MaxLine bytes.
type Forwarder struct {
	sink      *Sink
	source    *Drain
	label     string
	number    int   // of the source, if it is held
	hold      *hold // nil if it is not
	done      chan struct{}
	labelled  []byte // buffer of write
	lineStart bool   // what comes next begins a line
	drawing   bool   // the line that has begun is drawn, see draws
}

// Forward starts to pass source on, which it closes in the end. Each line gets the label, if there is one.
func (s *Sink) Forward(source Source, label string) *Forwarder {
	f := newForwarder(s, source, label)
	go f.run()
	return f
}

func newForwarder(s *Sink, source Source, label string) *Forwarder {
	return &Forwarder{sink: s, source: NewDrain(source), label: label, lineStart: true, done: make(chan struct{})}
}

// Done is closed when all of the source has been passed on.
func (f *Forwarder) Done() <-chan struct{} { return f.done }

// Drain tells the forwarder that the process is gone. What is left in the pipe is passed on, however slowly the sink
// takes it. If another process holds the pipe open but writes nothing for twice the time idle, the forwarder ends.
func (f *Forwarder) Drain(idle time.Duration) { f.source.Start(idle) }

func (f *Forwarder) run() {
	defer close(f.done)
	defer f.source.Close()
	buffer := make([]byte, MaxLine)
	pending := 0 // bytes of an unended line at the front of buffer
	for {
		n, err := f.source.Read(buffer[pending:])
		have := pending + n
		whole := pending + bytes.LastIndexByte(buffer[pending:have], '\n') + 1
		if whole == pending { // no newline has come
			whole = 0
		}
		if err != nil || whole == 0 && have == len(buffer) || f.draws(buffer[whole:have], whole > 0) {
			whole = have
		}
		if whole > 0 {
			f.pass(buffer[:whole])
			pending = copy(buffer, buffer[whole:have])
		} else {
			pending = have
		}
		if err != nil {
			return
		}
	}
}

// draws reports whether the part of a line that has come is to be passed on at once, because it is drawn on a terminal:
// the source has written a carriage return, as progress bars do, and will write the line anew. begins says that the part
// is the beginning of its line.
func (f *Forwarder) draws(part []byte, begins bool) bool {
	f.drawing = f.sink.terminal && len(part) > 0 && (f.drawing && !begins || bytes.IndexByte(part, '\r') >= 0)
	return f.drawing
}

// lineEnd is the length of the first line, with what ends it, or 0 if it has no end. On a terminal that may be a carriage
// return, after which the line begins anew.
func (f *Forwarder) lineEnd(lines []byte) int {
	end := bytes.IndexByte(lines, '\n') + 1
	if !f.sink.terminal {
		return end
	}
	if i := bytes.IndexByte(lines, '\r') + 1; i > 0 && (end == 0 || i < end-1) {
		return i
	}
	return end
}

// write writes lines, with the label before each.
func (f *Forwarder) write(lines []byte) {
	if f.label == "" {
		f.sink.write(f, lines, f.sink.terminal)
		return
	}
	out := f.labelled[:0]
	for len(lines) > 0 {
		end := f.lineEnd(lines)
		ended := end > 0
		if !ended {
			end = len(lines)
		}
		if len(out) > 0 && len(out)+len(f.label)+end > 2*MaxLine {
			f.sink.write(f, out, true)
			out = out[:0]
		}
		if f.lineStart {
			out = append(out, f.label...)
		}
		out = append(out, lines[:end]...)
		lines, f.lineStart = lines[end:], ended
	}
	f.sink.write(f, out, true)
	f.labelled = out
}
