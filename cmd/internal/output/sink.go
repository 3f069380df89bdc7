// Package output merges the output of many processes line by line: a line of one is never broken by another's.
package output

import (
	"io"
	"sync"
)

// Sink is where the lines of many sources end up: mpirun's standard output or standard error.
type Sink struct {
	failed func(error)

	// mu is held while w is written to: it is what keeps lines apart, and what makes a slow reader of w slow the
	// sources down.
	mu        sync.Mutex
	w         io.Writer
	err       error
	unended   bool       // the last byte written was not a newline
	unendedBy *Forwarder // whose line that is
}

// NewSink makes a sink of w. When w cannot be written to, failed is called once with the reason, and all that comes
// after it is read and thrown away, so that no source is blocked.
func NewSink(w io.Writer, failed func(error)) *Sink {
	return &Sink{w: w, failed: failed}
}

// Println writes a line of the launcher's own, on a line of its own.
func (s *Sink) Println(line string) {
	s.write(nil, []byte(line+"\n"), true)
}

// write writes lines of a source in one piece. Where separate is set, a line that another source has left unended is
// ended first.
func (s *Sink) write(from *Forwarder, lines []byte, separate bool) {
	s.mu.Lock()
	if s.err != nil {
		s.mu.Unlock()
		return
	}
	if separate && s.unended && s.unendedBy != from {
		_, s.err = s.w.Write([]byte{'\n'})
	}
	if s.err == nil {
		_, s.err = s.w.Write(lines)
	}
	s.unended, s.unendedBy = lines[len(lines)-1] != '\n', from
	err := s.err
	s.mu.Unlock()
	if err != nil {
		s.failed(err)
	}
}
