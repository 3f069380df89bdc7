// Package campaign runs the jobs of experiments round by round, within their budgets, and keeps what comes of them.
package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/trial"
)

// Site runs a job and returns what it has measured.
type Site interface {
	Run(ctx context.Context, cell plan.Cell) (map[string]float64, error)
}

// Progress is told how far a campaign is.
type Progress interface {
	// Begin says which job comes next.
	Begin(e *plan.Experiment, cell plan.Cell, round int)
	// Done says how many jobs have ended, or will not be run for want of time.
	Done(jobs int)
}

// Campaign is a run of experiments.
type Campaign struct {
	Site     Site
	Results  *record.File
	Seed     uint64
	Progress Progress
	Until    time.Time // when this piece of the campaign is to end; zero for never

	// Lateness begins to measure how late timers are at worst, in milliseconds, until the function that it returns is called: that of
	// this package, but in tests.
	Lateness func() (stop func() float64)
}

// attempts is how often a job is run at most as long as it is disturbed.
const attempts = 3

// PieceError says that the time of a piece of a campaign is up, and how many jobs have no result yet.
type PieceError struct{ Left int }

func (e PieceError) Error() string {
	return fmt.Sprintf("the time of this piece is up, and up to %d jobs are left: netlab run --resume goes on with them", e.Left)
}

// Jobs is the greatest number of jobs.
func Jobs(experiments []plan.Experiment) int {
	n := 0
	for i := range experiments {
		n += experiments[i].Jobs()
	}
	return n
}

// Run runs all jobs that have no result yet. It ends early when ctx does, with its cause, when a result cannot be kept, or with a
// PieceError; jobs that fail are results too.
func (c *Campaign) Run(ctx context.Context, experiments []plan.Experiment) error {
	for i := range experiments {
		e := &experiments[i]
		for round, cells := range measure.Rounds(e.Rounds, c.Seed, e.Cells()) {
			switch err := c.round(ctx, e, round, cells); {
			case errors.Is(err, errPiece):
				return PieceError{Left: c.left(experiments)}
			case err != nil:
				return err
			}
		}
	}
	return nil
}

var errPiece = errors.New("the time of the piece is up")

// round measures each cell once. A job that was disturbed is run again at the end of the round, when what has disturbed it may be over.
func (c *Campaign) round(ctx context.Context, e *plan.Experiment, round int, cells []plan.Cell) error {
	spent := c.spent(e.Name)
	tried := map[record.Key]int{}
	for ; len(cells) > 0; cells = cells[1:] {
		cell := cells[0]
		key := keyOf(e, cell, round)
		expected := c.expected(key)
		if tried[key] == 0 && c.Results.Has(key) || spent+expected > e.Budget {
			c.Progress.Done(1)
			continue
		}
		if !c.Until.IsZero() && time.Now().Add(max(expected, cell.Case.Expected())).After(c.Until) {
			return errPiece
		}
		c.Progress.Begin(e, cell, round)
		r, err := c.job(ctx, key, cell)
		if err == nil {
			err = c.Results.Add(r)
		}
		if err != nil {
			return err
		}
		spent += seconds(r.Seconds)
		if tried[key]++; r.Doubtful() && tried[key] < attempts {
			cells = append(cells, cell)
			continue
		}
		c.Progress.Done(1)
	}
	return nil
}

// left is the number of jobs without a result.
func (c *Campaign) left(experiments []plan.Experiment) (n int) {
	for i := range experiments {
		e := &experiments[i]
		for round := 1; round <= e.Rounds; round++ {
			for _, cell := range e.Cells() {
				if !c.Results.Has(keyOf(e, cell, round)) {
					n++
				}
			}
		}
	}
	return n
}

// job runs a job. Its error is the end of ctx, which is no result.
func (c *Campaign) job(ctx context.Context, key record.Key, cell plan.Cell) (record.Result, error) {
	r := record.Result{
		Key: key, Factors: cell.Case.Factors, Conditions: cell.Case.Network(),
		Status: record.Done, Started: time.Now().UTC().Round(time.Millisecond),
	}
	if err := context.Cause(ctx); err != nil {
		return r, err
	}
	begun := time.Now()
	late := c.Lateness()
	metrics, err := c.Site.Run(ctx, cell)
	r.Seconds, r.Late = time.Since(begun).Seconds(), late()
	if cause := context.Cause(ctx); cause != nil {
		return r, cause
	}
	switch {
	case errors.Is(err, trial.ErrTimeout):
		r.Status, r.Error = record.TimedOut, err.Error()
	case err != nil:
		r.Status, r.Error = record.Failed, err.Error()
	default:
		r.Metrics = metrics
	}
	return r, nil
}

// spent is the time that the jobs of an experiment have taken so far.
func (c *Campaign) spent(experiment string) (sum time.Duration) {
	for _, r := range c.Results.Results {
		if r.Experiment == experiment {
			sum += seconds(r.Seconds)
		}
	}
	return sum
}

// expected is the time that a job will take: what the same took in the round before, nothing in the first.
func (c *Campaign) expected(key record.Key) (last time.Duration) {
	for _, r := range c.Results.Results {
		if r.Experiment == key.Experiment && r.Case == key.Case && r.Variant == key.Variant {
			last = seconds(r.Seconds)
		}
	}
	return last
}

func keyOf(e *plan.Experiment, cell plan.Cell, round int) record.Key {
	return record.Key{Experiment: e.Name, Case: cell.Case.ID(), Variant: cell.Variant.Name, Round: round}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
