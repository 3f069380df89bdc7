package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows on a terminal how much has been measured, and the time left.
type progress struct {
	bar *progressbar.ProgressBar // nil if nobody watches
}

func newProgress(w io.Writer, steps int) progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progress{}
	}
	return progress{progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("measurements"),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

func (p progress) step() {
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
