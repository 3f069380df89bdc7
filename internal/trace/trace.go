// Package trace writes what a rank does as events, and joins the events of all ranks of a job into one file, which Perfetto
// (ui.perfetto.dev) and Chrome (chrome://tracing) show: an array of JSON objects as in Google's Trace Event Format. The file of a rank
// is the lines of that array without its brackets, so that what a rank has written before it was killed can be read too. It is for package mpi and
// mpirun --trace, not for programs.
package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

// MaxSize is the most that a rank writes, in bytes: some ten million events. Later events are left out, and the last one says so.
const MaxSize = 1 << 30

// flushEvery is how much of a trace the end of a process may cost, if events go on.
const flushEvery = time.Second

// Recorder writes the events of one rank. It is for use by many goroutines.
type Recorder struct {
	rank int
	// begun is when. Times are told by how long after that they are: a wall clock and a monotonic one are read one after the other, and
	// the process may lose its processor in between.
	begun time.Time

	mu      sync.Mutex
	file    *os.File
	out     *bufio.Writer
	event   []byte
	size    int
	flushed time.Time
	full    bool
	closed  bool
	err     error // of a write, after which nothing is written
}

// Create begins the file of a rank. label is how the rank is shown.
func Create(name string, rank int, label string) (*Recorder, error) {
	file, err := createPart(name, rank)
	if err != nil {
		return nil, err
	}
	return recordIn(file, rank, label), nil
}

func recordIn(file *os.File, rank int, label string) *Recorder {
	r := &Recorder{rank: rank, begun: time.Now(), file: file, out: bufio.NewWriterSize(file, 64<<10)}
	r.write("process_name", 'M', 0, nil, Text("name", label))
	r.write("process_sort_index", 'M', 0, nil, Number("sort_index", int64(rank)))
	return r
}

// Arg is something that an event says beside its name.
type Arg struct {
	name   string
	text   string
	number int64
	isText bool
}

// Text and Number are arguments of an event. The names must need no quotes in JSON.
func Text(name, value string) Arg         { return Arg{name: name, text: value, isText: true} }
func Number(name string, value int64) Arg { return Arg{name: name, number: value} }

// details are when an event was, or from when until when, and which arrow it is an end of.
type details struct {
	begin, end time.Time
	arrow      uint64
}

// Span records that something lasted from begin to end. Spans of one track, a number from 0 on, do not overlap, but one may be within another.
func (r *Recorder) Span(track int, name string, begin, end time.Time, args ...Arg) {
	r.write(name, 'X', track, &details{begin: begin, end: end}, args...)
}

// Point records that something happened.
func (r *Recorder) Point(track int, name string, at time.Time, args ...Arg) {
	r.write(name, 'i', track, &details{begin: at, end: at}, args...)
}

// ArrowBegins and ArrowEnds record the two ends of an arrow, perhaps in the traces of two ranks, each at the last span that has been recorded
// with that track and time. An id is that of one arrow in all traces that are joined.
func (r *Recorder) ArrowBegins(track int, id uint64, at time.Time) {
	r.write("message", 's', track, &details{at, at, id})
}

func (r *Recorder) ArrowEnds(track int, id uint64, at time.Time) {
	r.write("message", 'f', track, &details{at, at, id})
}

// Counter records a value that changes with time. A name is a track of its own.
func (r *Recorder) Counter(name string, at time.Time, value int64) {
	r.write(name, 'C', 0, &details{begin: at, end: at}, Number("value", value))
}

// Track names a track.
func (r *Recorder) Track(track int, name string) {
	r.write("thread_name", 'M', track, nil, Text("name", name))
}

func (r *Recorder) write(name string, kind byte, track int, d *details, args ...Arg) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil || r.full || r.closed {
		return
	}
	if r.full = r.size > MaxSize; r.full {
		now := time.Now()
		name, kind, d, args = "the trace is full", 'i', &details{begin: now, end: now}, nil
	}
	r.encode(name, kind, track, d, args)
	r.size += len(r.event)
	if _, r.err = r.out.Write(r.event); r.err == nil && d != nil && d.end.Sub(r.flushed) >= flushEvery {
		r.flushed, r.err = d.end, r.out.Flush()
	}
}

// encode makes the JSON of an event. Times are in microseconds.
func (r *Recorder) encode(name string, kind byte, track int, d *details, args []Arg) {
	b := append(r.event[:0], `{"name":`...)
	b = appendText(b, name)
	b = fmt.Appendf(b, `,"ph":"%c","pid":%d,"tid":%d`, kind, r.rank, track)
	if d != nil {
		b = appendTime(append(b, `,"ts":`...), r.begun.UnixNano()+int64(d.begin.Sub(r.begun)))
	}
	switch kind {
	case 'X':
		b = appendTime(append(b, `,"dur":`...), int64(d.end.Sub(d.begin)))
	case 'i':
		b = append(b, `,"s":"t"`...)
	case 's':
		b = fmt.Appendf(b, `,"cat":"message","id":"0x%x"`, d.arrow)
	case 'f':
		b = fmt.Appendf(b, `,"cat":"message","id":"0x%x","bp":"e"`, d.arrow)
	}
	b = append(b, `,"args":{`...)
	for i, a := range args {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), a.name...), `":`...)
		if a.isText {
			b = appendText(b, a.text)
		} else {
			b = strconv.AppendInt(b, a.number, 10)
		}
	}
	r.event = append(b, "}},\n"...)
}

func appendText(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // never fails
	return append(b, quoted...)
}

func appendTime(b []byte, nanoseconds int64) []byte {
	return fmt.Appendf(b, "%d.%03d", nanoseconds/1000, nanoseconds%1000)
}

// Close ends the file. It returns the first error of a write. Later events are dropped.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	if r.err == nil {
		r.err = r.out.Flush()
	}
	return errors.Join(r.err, r.file.Close())
}
