package report

import (
	"fmt"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// Lacks are what is wrong with the results of a run.
type Lacks struct {
	Failed    int // jobs that have failed
	Disturbed int // jobs that others have disturbed
	Missing   int // cells without a measurement that counts
	Few       int // cells with some, but fewer than plan.LeastJobs where the plan has as many
	Cells     int // all that there are to be
}

func (l *Lacks) add(rows []*row) {
	for _, row := range rows {
		l.Cells++
		if !row.Ends {
			l.Failed += row.Failed
		}
		l.Disturbed += row.Disturbed
		switch {
		case row.Done == 0 && !row.Ended:
			l.Missing++
		case row.Few:
			l.Few++
		}
	}
}

// Incomplete says what is wrong with a section's results, nil if nothing is.
func (s section) Incomplete() error {
	var l Lacks
	l.add(s.Rows)
	return l.Err()
}

// cells says what cells lack.
func (l Lacks) cells() (wrong []string) {
	if l.Missing > 0 {
		wrong = append(wrong, fmt.Sprintf("%d of %d cells have no measurement", l.Missing, l.Cells))
	}
	if l.Few > 0 {
		wrong = append(wrong, fmt.Sprintf("%d of %d cells have fewer than %d jobs", l.Few, l.Cells, plan.LeastJobs))
	}
	return wrong
}

// Err says what is wrong and what to do, nil if nothing is.
func (l Lacks) Err() error {
	wrong := l.cells()
	if l.Failed > 0 {
		wrong = append(wrong, fmt.Sprintf("%d jobs failed", l.Failed))
	}
	if l.Disturbed > 0 {
		wrong = append(wrong, fmt.Sprintf("%d jobs were disturbed by other programs and do not count", l.Disturbed))
	}
	if wrong == nil {
		return nil
	}
	return fmt.Errorf("the results are incomplete: %s. The report says which. "+
		"netlab run --resume measures what is missing and what was disturbed: give it more --time, and this host nothing else to do", strings.Join(wrong, ", "))
}
