// Package campaign runs the jobs of experiments round by round, within their budgets, and keeps what comes of them.
package campaign

import (
	"context"
	"errors"
	"time"

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
}

// Jobs is the greatest number of jobs.
func Jobs(experiments []plan.Experiment) int {
	n := 0
	for i := range experiments {
		n += experiments[i].Rounds * len(experiments[i].Cells())
	}
	return n
}

// Run runs all jobs that have no result yet. It ends early when ctx does, with its cause, or when a result cannot be kept;
// jobs that fail are results too.
func (c *Campaign) Run(ctx context.Context, experiments []plan.Experiment) error {
	for i := range experiments {
		if err := c.experiment(ctx, &experiments[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *Campaign) experiment(ctx context.Context, e *plan.Experiment) error {
	spent := c.spent(e.Name)
	for round := 1; round <= e.Rounds; round++ {
		for _, cell := range e.Round(round, c.Seed) {
			key := keyOf(e, cell, round)
			if c.Results.Has(key) || spent+c.expected(key) > e.Budget {
				c.Progress.Done(1)
				continue
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
			c.Progress.Done(1)
		}
	}
	return nil
}

// job runs a job. Its error is the end of ctx, which is no result.
func (c *Campaign) job(ctx context.Context, key record.Key, cell plan.Cell) (record.Result, error) {
	r := record.Result{
		Key: key, Factors: cell.Case.Factors, Conditions: cell.Case.Conditions.String(),
		Status: record.Done, Started: time.Now().UTC().Round(time.Millisecond),
	}
	if err := context.Cause(ctx); err != nil {
		return r, err
	}
	begun := time.Now()
	late := lateness()
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
