// Package output merges the output of many processes line by line: a line of one is never broken by another's.
package output

import (
	"bytes"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"github.com/sctpmpi/sctpmpi/internal/terminal"
)

// Sink is where the lines of many sources end up: mpirun's standard output or standard error.
type Sink struct {
	failed   func(error)
	terminal bool // w is one, so that lines can be drawn on it

	// mu is held while w is written to: it is what keeps lines apart, and what makes a slow reader of w slow the
	// sources down.
	mu        sync.Mutex
	w         io.Writer
	err       error
	unended   bool       // the last byte written was not a newline
	unendedBy *Forwarder // whose line that is
	drawn     bool       // that line has a carriage return: its source will write it anew
}

// NewSink makes a sink of w. When w cannot be written to, failed is called once with the reason, and all that comes
// after it is read and thrown away, so that no source is blocked.
func NewSink(w io.Writer, failed func(error)) *Sink {
	f, ok := w.(*os.File)
	return &Sink{w: w, failed: failed, terminal: ok && term.IsTerminal(int(f.Fd()))}
}

// Same reports whether two writers are one file that is no terminal, as after 2>&1.
func Same(a, b io.Writer) bool {
	first, ok := a.(*os.File)
	second, also := b.(*os.File)
	if !ok || !also || term.IsTerminal(int(first.Fd())) {
		return false
	}
	one, err := first.Stat()
	other, wrong := second.Stat()
	return err == nil && wrong == nil && os.SameFile(one, other)
}

// Println writes a line of the launcher's own, on a line of its own. What it quotes may come from other hosts and other programs: it
// has nothing in it that a terminal obeys.
func (s *Sink) Println(line string) {
	s.write(nil, []byte(terminal.Line(line)+"\n"), true)
}

// clearLine moves the cursor to the beginning of the line and erases it.
const clearLine = "\r\x1b[K"

// write writes lines of a source in one piece. Where separate is set, a line that another source has left unended is
// ended first, or erased if it is only drawn.
func (s *Sink) write(from *Forwarder, lines []byte, separate bool) {
	s.mu.Lock()
	if s.err != nil {
		s.mu.Unlock()
		return
	}
	if separate && s.unended && s.unendedBy != from {
		end := "\n"
		if s.drawn {
			end = clearLine
		}
		_, s.err = io.WriteString(s.w, end)
	}
	if s.err == nil {
		_, s.err = s.w.Write(lines)
	}
	last := lines[bytes.LastIndexByte(lines, '\n')+1:]
	continued := s.unended && s.unendedBy == from && len(last) == len(lines)
	s.drawn = s.terminal && (bytes.IndexByte(last, '\r') >= 0 || continued && s.drawn)
	s.unended, s.unendedBy = len(last) > 0, from
	err := s.err
	s.mu.Unlock()
	if err != nil {
		s.failed(err)
	}
}
