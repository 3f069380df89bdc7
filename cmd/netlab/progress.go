package main

import (
	"fmt"
	"io"
	"os"

	"github.com/sctpmpi/sctpmpi/cmd/internal/bar"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// progress shows how far a campaign is: on a terminal as a bar with the time left, elsewhere as a line for each job.
type progress struct {
	bar.Bar
	w    io.Writer
	done int
	all  int
}

func newProgress(w io.Writer, jobs int) *progress {
	p := &progress{w: w, all: jobs}
	if os.Getenv(terminalVariable) != "" || bar.Terminal(w) {
		p.Bar = bar.New(w, "jobs", jobs)
	}
	return p
}

// Begin implements campaign.Progress.
func (p *progress) Begin(e *plan.Experiment, cell plan.Cell, round int) {
	if !p.Watched() {
		fmt.Fprintf(p.w, "%4d of %d  %s, round %d: %s, %s\n", p.done+1, p.all, e.Name, round, cell.Case.ID(), cell.Variant.Name)
	}
	p.Describe(fmt.Sprintf("%s, round %d", e.Name, round))
}

// Done implements campaign.Progress.
func (p *progress) Done(jobs int) {
	p.done += jobs
	p.Add(jobs)
}
