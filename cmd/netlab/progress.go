package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/bar"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/campaign"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// progress shows how far a campaign is: on a terminal as a bar with the time left, elsewhere as a line for each job.
type progress struct {
	bar.Bar
	w     io.Writer
	done  int
	all   int
	until time.Time // when the time of all experiments is up
}

func newProgress(w io.Writer, experiments []plan.Experiment) *progress {
	jobs := campaign.Jobs(experiments)
	p := &progress{w: w, all: jobs, until: time.Now()}
	for _, e := range experiments {
		p.until = p.until.Add(e.Budget)
	}
	if os.Getenv(terminalVariable) != "" || bar.Terminal(w) {
		p.Bar = bar.New(w, "jobs", jobs)
	}
	return p
}

// Begin implements campaign.Progress.
func (p *progress) Begin(e *plan.Experiment, cell plan.Cell, round int) {
	if !p.Watched() {
		left := max(time.Until(p.until), 0).Round(time.Second)
		fmt.Fprintf(p.w, "%4d of %d, at most %v left  %s, round %d: %s, %s\n",
			p.done+1, p.all, left, e.Name, round, cell.Case.ID(), cell.Variant.Name)
	}
	p.Describe(fmt.Sprintf("%s, round %d", e.Name, round))
}

// Done implements campaign.Progress.
func (p *progress) Done(jobs int) {
	p.done += jobs
	p.Add(jobs)
}
