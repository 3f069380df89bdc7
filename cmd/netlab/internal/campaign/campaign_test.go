package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/campaign"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/trial"
)

// site runs jobs that take a time of the test's clock, on a host whose timers may be late.
type site struct {
	takes time.Duration
	piece time.Duration // of the campaign; 0 for all of it
	ran   []string
	run   func(name string) error
	late  func(name string) float64
}

func (s *site) lateness() (stop func() float64) {
	return func() float64 {
		if s.late == nil {
			return 0
		}
		return s.late(s.ran[len(s.ran)-1])
	}
}

func (s *site) Run(ctx context.Context, cell plan.Cell) (map[string]float64, error) {
	name := cell.Case.ID() + " " + cell.Variant.Name
	s.ran = append(s.ran, name)
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.run != nil {
		if err := s.run(name); err != nil {
			return nil, err
		}
	}
	return map[string]float64{"time": 1}, nil
}

type progress struct{ done int }

func (*progress) Begin(*plan.Experiment, plan.Cell, int) {}
func (p *progress) Done(jobs int)                        { p.done += jobs }

func experiments(rounds int, budget time.Duration) []plan.Experiment {
	e := plan.Experiment{
		Name: "e", Rounds: rounds, Budget: budget, Variants: []plan.Variant{{Name: "tcp"}, {Name: "sctp"}},
		Cases: []plan.Case{
			{Factors: []plan.Factor{{Name: "loss", Value: 0, Unit: "%"}}},
			{Factors: []plan.Factor{{Name: "loss", Value: 1, Unit: "%"}}},
		},
	}
	return []plan.Experiment{e}
}

// run runs a campaign in a directory, in a bubble with a clock of its own.
func run(t *testing.T, dir string, ctx context.Context, s *site, all []plan.Experiment) (results []record.Result, done int, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		file, e := record.Open(dir)
		require.NoError(t, e)
		defer file.Close()
		var p progress
		c := campaign.Campaign{Site: s, Results: file, Seed: 1, Progress: &p, Lateness: s.lateness}
		if s.piece > 0 {
			c.Until = time.Now().Add(s.piece)
		}
		err = c.Run(ctx, all)
		results, done = file.Results, p.done
	})
	return results, done, err
}

func TestEachCellIsMeasuredInEachRound(t *testing.T) {
	s := &site{takes: time.Second}
	results, done, err := run(t, t.TempDir(), context.Background(), s, experiments(3, time.Hour))
	require.NoError(t, err)
	assert.Len(t, results, 12)
	assert.Equal(t, campaign.Jobs(experiments(3, time.Hour)), done)
	seen := map[record.Key]bool{}
	for i, r := range results {
		assert.Equal(t, 1+i/4, r.Round, "a round ends before the next begins")
		assert.Equal(t, record.Done, r.Status)
		assert.InDelta(t, 1, r.Seconds, 1e-9)
		seen[r.Key] = true
	}
	assert.Len(t, seen, 12)
}

func TestBudgetBoundsTheTimeOfAllJobs(t *testing.T) {
	for budget, jobs := range map[time.Duration]int{2 * time.Second: 3, 6 * time.Second: 6} {
		s := &site{takes: time.Second}
		results, done, err := run(t, t.TempDir(), context.Background(), s, experiments(3, budget))
		require.NoError(t, err)
		assert.Len(t, results, jobs, "budget %v: what a job of the first round takes is not known before", budget)
		assert.Equal(t, 12, done, "those that are left out count as done")
	}
}

func TestFailuresAreResults(t *testing.T) {
	s := &site{run: func(name string) error {
		switch name {
		case "loss=0% tcp":
			return errors.New("out of sockets")
		case "loss=1% tcp":
			return fmt.Errorf("%w: more than 1s", trial.ErrTimeout)
		}
		return nil
	}}
	results, _, err := run(t, t.TempDir(), context.Background(), s, experiments(1, time.Hour))
	require.NoError(t, err)
	require.Len(t, results, 4)
	for _, r := range results {
		switch r.Case + " " + r.Variant {
		case "loss=0% tcp":
			assert.Equal(t, record.Failed, r.Status)
			assert.Equal(t, "out of sockets", r.Error)
		case "loss=1% tcp":
			assert.Equal(t, record.TimedOut, r.Status)
		default:
			assert.Equal(t, record.Done, r.Status)
		}
	}
}

func TestResumeRunsOnlyWhatHasNoResult(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("interrupted")
	first := &site{}
	first.run = func(string) error {
		if len(first.ran) == 3 {
			cancel(enough)
		}
		return nil
	}
	results, _, err := run(t, dir, ctx, first, experiments(2, time.Hour))
	require.ErrorIs(t, err, enough)
	assert.Len(t, results, 2, "the job that was interrupted has no result")

	second := &site{}
	results, done, err := run(t, dir, context.Background(), second, experiments(2, time.Hour))
	require.NoError(t, err)
	assert.Len(t, results, 8)
	assert.Len(t, second.ran, 6)
	assert.Equal(t, first.ran[2], second.ran[0])
	assert.Equal(t, 8, done)
}

func TestDisturbedJobIsRunAgainAtTheEndOfItsRound(t *testing.T) {
	disturbed := 0
	s := &site{late: func(name string) float64 {
		if name == "loss=1% tcp" && disturbed < 2 {
			disturbed++
			return record.DisturbedBy + 1
		}
		return record.DisturbedBy
	}}
	results, done, err := run(t, t.TempDir(), context.Background(), s, experiments(2, time.Hour))
	require.NoError(t, err)
	require.Len(t, results, 10)
	assert.Equal(t, []string{"loss=1% tcp", "loss=1% tcp"}, s.ran[4:6])
	assert.Equal(t, 8, done)
	assert.Equal(t, results[4].Key, results[5].Key)
	assert.True(t, results[4].Disturbed())
	assert.False(t, results[5].Disturbed())
}

func TestJobThatIsAlwaysDisturbedIsGivenUp(t *testing.T) {
	always := func(name string) float64 {
		if name == "loss=1% tcp" {
			return 1e4
		}
		return 0
	}
	s := &site{late: always, run: func(name string) error {
		if name == "loss=1% tcp" {
			return errors.New("no answer") // for want of a processor, perhaps
		}
		return nil
	}}
	results, done, err := run(t, t.TempDir(), context.Background(), s, experiments(1, time.Hour))
	require.NoError(t, err)
	assert.Len(t, results, 3+3)
	assert.Equal(t, 4, done)

	s = &site{late: always, takes: time.Second}
	results, done, err = run(t, t.TempDir(), context.Background(), s, experiments(1, 4*time.Second))
	require.NoError(t, err)
	assert.Len(t, results, 4, "there is no time to run it again")
	assert.Equal(t, 4, done)
}

func TestPieceEndsWhenItsTimeIsUp(t *testing.T) {
	dir := t.TempDir()
	s := &site{takes: 10 * time.Second, piece: time.Minute}
	results, _, err := run(t, dir, context.Background(), s, experiments(3, time.Hour))
	assert.Equal(t, campaign.PieceError{Left: 6}, err)
	assert.Len(t, results, 6)
	results, _, err = run(t, dir, context.Background(), s, experiments(3, time.Hour))
	assert.Equal(t, nil, err)
	assert.Len(t, results, 12, "another piece has the rest")
}

func TestResumedRunIsAskedForWhatBothWere(t *testing.T) {
	dir := t.TempDir()
	keep := func(experiments, transports []string) campaign.Environment {
		e := campaign.Describe(nil, true, 1)
		e.Experiments, e.Transports = experiments, transports
		require.NoError(t, e.Keep(dir))
		kept, err := campaign.ReadEnvironment(dir)
		require.NoError(t, err)
		return kept
	}
	keep([]string{"hol"}, []string{"tcp-perpair"})
	kept := keep([]string{"hol", "streams"}, []string{"sctp-engine"})
	assert.Equal(t, []string{"hol", "streams"}, kept.Experiments)
	assert.Equal(t, []string{"tcp-perpair", "sctp-engine"}, kept.Transports)
	assert.Empty(t, keep([]string{"hol"}, nil).Transports, "all")
}

func TestRunIsNotResumedByAnotherBuild(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	build := func(text string) string {
		require.NoError(t, os.WriteFile(program, []byte(text), 0o644))
		b, err := campaign.Build(program)
		require.NoError(t, err)
		return b
	}
	first, other := build("one"), build("two")
	assert.Equal(t, first, build("one"))
	e := campaign.Describe(nil, true, 1)
	e.Build = first
	require.NoError(t, e.Keep(dir))
	require.NoError(t, e.Keep(dir))
	require.NoError(t, campaign.Resumable(dir, first, true, 1))
	e.Build = other
	for _, err := range []error{e.Keep(dir), campaign.Resumable(dir, other, true, 1)} {
		require.ErrorContains(t, err, "is of another build ("+first+") than this ("+other+")")
		assert.NotContains(t, err.Error(), "\n")
	}
	assert.ErrorContains(t, campaign.Resumable(dir, first, false, 1), "was begun with --quick=true --seed=1")
	_, err := campaign.Build(filepath.Join(dir, "none"))
	assert.Error(t, err)
}
