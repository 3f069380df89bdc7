package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// progress shows how far a campaign is: on a terminal as a bar with the time left, elsewhere as a line for each job.
type progress struct {
	bar  *progressbar.ProgressBar // nil: lines
	w    io.Writer
	done int
	all  int
}

func newProgress(w io.Writer, jobs int) *progress {
	p := &progress{w: w, all: jobs}
	f, ok := w.(*os.File)
	if os.Getenv(terminalVariable) == "" && !(ok && term.IsTerminal(int(f.Fd()))) {
		return p
	}
	p.bar = progressbar.NewOptions(jobs,
		progressbar.OptionSetWriter(w),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(20),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionThrottle(200*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
	return p
}

// Begin implements campaign.Progress.
func (p *progress) Begin(e *plan.Experiment, cell plan.Cell, round int) {
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf("%s, round %d", e.Name, round))
		return
	}
	fmt.Fprintf(p.w, "%4d of %d  %s, round %d: %s, %s\n", p.done+1, p.all, e.Name, round, cell.Case.ID(), cell.Variant.Name)
}

// Done implements campaign.Progress.
func (p *progress) Done(jobs int) {
	p.done += jobs
	if p.bar != nil {
		_ = p.bar.Add(jobs) // a terminal that is gone is no reason to stop
	}
}

// close makes way for other output.
func (p *progress) close() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
