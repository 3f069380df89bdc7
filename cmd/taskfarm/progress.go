package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how many tasks are done, and the time left, on a terminal.
type progress struct {
	bar *progressbar.ProgressBar // nil if there is no terminal
}

func newProgress(w io.Writer, tasks int) progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progress{}
	}
	return progress{progressbar.NewOptions(tasks,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("tasks"),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
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
