package main

import (
	"bytes"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how many tasks are done, and the time left, on a terminal:
// as a bar, or, where mpirun stands between, as a line now and then.
type progress struct {
	bar *progressbar.ProgressBar // nil if nobody watches
}

func newProgress(w io.Writer, tasks int) progress {
	f, ok := w.(*os.File)
	switch {
	case ok && term.IsTerminal(int(f.Fd())):
		return progress{progressbar.NewOptions(tasks,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetDescription("tasks"),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)}
	case ok && os.Getenv("SCTPMPI_TERMINAL") != "":
		return progress{newProgressLines(w, tasks, time.Second)}
	}
	return progress{}
}

// newProgressLines makes a bar that writes a line at most once an interval.
func newProgressLines(w io.Writer, tasks int, interval time.Duration) *progressbar.ProgressBar {
	return progressbar.NewOptions(tasks,
		progressbar.OptionSetWriter(lines{w}),
		progressbar.OptionSetDescription("tasks"),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(interval),
	)
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

func (p progress) taskDone() {
	if p.bar != nil {
		_ = p.bar.Add(1) // a terminal that is gone is no reason to stop
	}
}

// close makes way for other output.
func (p progress) close() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
