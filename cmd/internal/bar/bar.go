// Package bar shows how much of some work is done, and the time left.
package bar

import (
	"bytes"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Bar is a bar on a terminal. The zero Bar shows nothing.
type Bar struct{ bar *progressbar.ProgressBar }

// Terminal reports whether w is a terminal.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// New shows a bar for a number of steps. It begins with the name of what is done.
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

// NewTimed shows how much is done of work that takes a time, on a terminal as a bar, elsewhere as lines, at most one in each interval.
// Add counts milliseconds of it, as they were expected, so that the time left is right whether the host is as fast as expected or not,
// and whether long or short steps come first.
func NewTimed(w io.Writer, what string, expected time.Duration, interval time.Duration) Bar {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionClearOnFinish(),
	}
	if !Terminal(w) {
		options = []progressbar.Option{
			progressbar.OptionSetWriter(lines{w}),
			progressbar.OptionSetDescription(what),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionSetWidth(20),
			progressbar.OptionThrottle(interval),
		}
	}
	return Bar{progressbar.NewOptions(max(int(expected.Milliseconds()), 1), options...)}
}

// lines writes a line for each update of the bar.
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

// Describe names the next step.
func (b Bar) Describe(what string) {
	if b.bar != nil {
		b.bar.Describe(what)
	}
}

// Add counts a number of steps as done.
func (b Bar) Add(steps int) {
	if b.bar != nil {
		_ = b.bar.Add(steps) // the work goes on without a terminal
	}
}

// Step counts one more step as done.
func (b Bar) Step() { b.Add(1) }

// End ends the bar, before other output: full if the work is done, where it is if that has ended with an error.
func (b Bar) End(err error) {
	switch {
	case b.bar == nil:
	case err == nil:
		_ = b.bar.Finish()
	default:
		_ = b.bar.Exit()
	}
}
