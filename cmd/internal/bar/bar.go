// Package bar shows whoever watches how much of some work is done, and the time left.
package bar

import (
	"bytes"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Bar is a bar on a terminal. The zero Bar is for when nobody watches.
type Bar struct{ bar *progressbar.ProgressBar }

// Terminal reports whether somebody watches what is written to w.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// New shows a bar that says what it is so many steps of.
func New(w io.Writer, what string, steps int) Bar {
	return Bar{progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

// NewLines writes a line in place of a bar, at most once an interval: for output that is no
// terminal.
func NewLines(w io.Writer, what string, steps int, interval time.Duration) Bar {
	return Bar{progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(lines{w}),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(interval),
	)}
}

// lines makes lines of what is meant to be overwritten.
type lines struct{ io.Writer }

func (l lines) Write(b []byte) (int, error) {
	if text := bytes.TrimSpace(b); len(text) > 0 {
		if _, err := l.Writer.Write(append(bytes.Clone(text), '\n')); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// Watched reports whether there is a bar.
func (b Bar) Watched() bool { return b.bar != nil }

// Describe says what comes next.
func (b Bar) Describe(what string) {
	if b.bar != nil {
		b.bar.Describe(what)
	}
}

// Add says that so many more steps are done.
func (b Bar) Add(steps int) {
	if b.bar != nil {
		_ = b.bar.Add(steps) // a terminal that is gone is no reason to stop
	}
}

// Step says that one more step is done.
func (b Bar) Step() { b.Add(1) }

// Close makes way for other output.
func (b Bar) Close() {
	if b.bar != nil {
		_ = b.bar.Finish()
	}
}
