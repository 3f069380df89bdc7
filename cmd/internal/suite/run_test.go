package suite_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
)

// point makes a table with one point.
func point(at ...any) (*report.Table, *report.Point) {
	p := &report.Point{At: at}
	return &report.Table{Name: "table", Points: []*report.Point{p}}, p
}

// sequence is a job that yields the values one after the other.
func sequence(slot suite.Slot, values ...float64) suite.Job {
	return suite.Job{Name: "sequence", Limit: time.Minute, Slots: []suite.Slot{slot},
		Run: func(context.Context) ([]suite.Figures, error) {
			value := values[0]
			values = values[1:]
			return []suite.Figures{{"x": value, "y": 1}}, nil
		}}
}

func run(t *testing.T, p *suite.Plan, s suite.Settings) *report.Report {
	t.Helper()
	r, err := p.Run(t.Context(), "test", s, func(*suite.Job) {})
	require.NoError(t, err)
	return r
}

func TestFiguresAreMediansWithRanges(t *testing.T) {
	table, p := point("a")
	plan := &suite.Plan{Tables: []*report.Table{table}, Jobs: []suite.Job{sequence(suite.Slot{Point: p}, 5, 1, 3)}}
	r := run(t, plan, suite.Settings{Rounds: 3})
	assert.Equal(t, measure.Figure{Median: 3, Low: 1, High: 5, N: 3}, p.Figures["x"])
	assert.Equal(t, []float64{5, 1, 3}, p.Samples["x"])
	assert.Equal(t, 3, r.Rounds)
	assert.False(t, r.Failed)
}

func TestIntervalsHaveAConfidenceFromSixRoundsOn(t *testing.T) {
	for rounds, want := range map[int]struct {
		low, high, confidence float64
	}{5: {1, 5, 0}, 6: {1, 6, 0.95}, 9: {2, 8, 0.95}} {
		table, p := point("a")
		plan := &suite.Plan{
			Tables: []*report.Table{table}, Confidence: true,
			Jobs: []suite.Job{sequence(suite.Slot{Point: p}, 1, 2, 3, 4, 5, 6, 7, 8, 9)},
		}
		r := run(t, plan, suite.Settings{Rounds: rounds})
		assert.Equal(t, want.low, p.Figures["x"].Low)
		assert.Equal(t, want.high, p.Figures["x"].High)
		assert.Equal(t, want.confidence, r.Confidence, "%d rounds", rounds)
	}
}

func TestCoresInUseFollowFromTimes(t *testing.T) {
	table, p := point("a")
	names := map[string]string{"x": "cpu_s", "y": "wall_s"}
	run(t, &suite.Plan{Tables: []*report.Table{table}, Jobs: []suite.Job{sequence(suite.Slot{Point: p, Names: names}, 1.5)}},
		suite.Settings{Rounds: 1})
	assert.Equal(t, 1.5, p.Figures["cores"].Median)
}

func TestSlotChoosesAndNamesFigures(t *testing.T) {
	table, p := point("a")
	slot := suite.Slot{Point: p, Names: map[string]string{"x": "z"}}
	run(t, &suite.Plan{Tables: []*report.Table{table}, Jobs: []suite.Job{sequence(slot, 7)}}, suite.Settings{Rounds: 1})
	assert.Len(t, p.Figures, 1)
	assert.Equal(t, 7.0, p.Figures["z"].Median)
}

func TestJobThatFailsIsLeftOutAndReported(t *testing.T) {
	table, p := point("a")
	attempts := 0
	failing := suite.Job{Name: "failing", Limit: time.Minute, Run: func(context.Context) ([]suite.Figures, error) {
		attempts++
		return nil, errors.New("out of order")
	}}
	plan := &suite.Plan{
		Tables: []*report.Table{table}, Missing: map[string]string{"other": "not installed"},
		Jobs: []suite.Job{failing, sequence(suite.Slot{Point: p}, 1, 2)},
	}
	r := run(t, plan, suite.Settings{Rounds: 2})
	assert.Equal(t, 1, attempts)
	assert.True(t, r.Failed)
	assert.Equal(t, map[string]string{"failing": "out of order", "other": "not installed"}, r.Errors)
	assert.Equal(t, 2, p.Figures["x"].N, "the others are measured all the same")
}

func TestWhatIsMissingFromTheStartIsNoFailure(t *testing.T) {
	r := run(t, &suite.Plan{Missing: map[string]string{"other": "not installed"}}, suite.Settings{Rounds: 1})
	assert.False(t, r.Failed)
	assert.Equal(t, "not installed", r.Errors["other"])
}

func TestFailureOfOtherSoftwareIsReportedButNoFailure(t *testing.T) {
	plan := &suite.Plan{Jobs: []suite.Job{{Name: "peer", Foreign: true, Limit: time.Minute,
		Run: func(context.Context) ([]suite.Figures, error) { return nil, errors.New("out of order") }}}}
	r := run(t, plan, suite.Settings{Rounds: 1})
	assert.False(t, r.Failed)
	assert.Equal(t, "out of order", r.Errors["peer"])
}

func TestWhatTheMachineCannotDoIsReportedButNoFailure(t *testing.T) {
	plan := &suite.Plan{Jobs: []suite.Job{{Name: "job", Limit: time.Minute, Run: func(context.Context) ([]suite.Figures, error) {
		return nil, fmt.Errorf("no such memory: %w", errors.ErrUnsupported)
	}}}}
	r := run(t, plan, suite.Settings{Rounds: 1})
	assert.False(t, r.Failed)
	assert.Contains(t, r.Errors["job"], "no such memory")
}

func TestPointsWithoutFiguresAreNotReported(t *testing.T) {
	table, _ := point("a")
	run(t, &suite.Plan{Tables: []*report.Table{table}}, suite.Settings{Rounds: 1})
	assert.Empty(t, table.Points)
}

func TestDerivedFiguresAreReported(t *testing.T) {
	table, p := point("a")
	plan := &suite.Plan{
		Tables: []*report.Table{table}, Jobs: []suite.Job{sequence(suite.Slot{Point: p}, 4)},
		Derive: func(r *report.Report) {
			r.Ratio = map[string]float64{"x": r.Table("table").Point("a").Figures["x"].Median / 2}
		},
	}
	assert.Equal(t, map[string]float64{"x": 2}, run(t, plan, suite.Settings{Rounds: 1}).Ratio)
}

func TestNoRoundBeginsThatWouldEndAfterTheLimit(t *testing.T) {
	table, p := point("a")
	plan := &suite.Plan{Tables: []*report.Table{table}, Jobs: []suite.Job{sequence(suite.Slot{Point: p}, 1, 2)}}
	r := run(t, plan, suite.Settings{Rounds: 2, Limit: 1})
	assert.Equal(t, 1, r.Rounds, "the first is measured in any case")
}

func TestJobIsToldWhyItsTimeIsUp(t *testing.T) {
	plan := &suite.Plan{Jobs: []suite.Job{{Name: "slow", Limit: time.Millisecond, Run: func(ctx context.Context) ([]suite.Figures, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}}}}
	assert.Equal(t, "no result after 1ms", run(t, plan, suite.Settings{Rounds: 1}).Errors["slow"])
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	plan := &suite.Plan{Jobs: []suite.Job{{Name: "job", Limit: time.Minute, Run: func(ctx context.Context) ([]suite.Figures, error) {
		cancel()
		return nil, ctx.Err()
	}}}}
	r, err := plan.Run(ctx, "test", suite.Settings{Rounds: 1000}, func(*suite.Job) {})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, r, "nothing has been measured")
}

// What has been measured before an interruption is not lost, and is marked in every form.
func TestInterruptedRunReportsWhatItHas(t *testing.T) {
	for stop, rounds := range map[int]int{2: 1, 3: 1, 4: 2, 5: 2} {
		ctx, cancel := context.WithCancel(t.Context())
		table, p := point("a")
		other := &report.Point{At: []any{"b"}}
		table.Points, table.Dims = append(table.Points, other), []string{"name"}
		done := 0
		job := func(p *report.Point) suite.Job {
			return suite.Job{Name: fmt.Sprint(p.At), Limit: time.Minute, Slots: []suite.Slot{{Point: p}},
				Run: func(ctx context.Context) ([]suite.Figures, error) {
					if done++; done == stop {
						cancel()
						return nil, errors.New("killed")
					}
					return []suite.Figures{{"x": 1}}, nil
				}}
		}
		plan := &suite.Plan{Tables: []*report.Table{table}, Jobs: []suite.Job{job(p), job(other)}}
		steps := 0
		r, err := plan.Run(ctx, "test", suite.Settings{Rounds: 3}, func(*suite.Job) { steps++ })
		require.ErrorIs(t, err, context.Canceled)
		require.NotNil(t, r)
		assert.Equal(t, stop-1, steps, "the job that was interrupted is not done")
		assert.Equal(t, &report.Interruption{Done: stop - 1, Planned: 6}, r.Interrupted)
		assert.Equal(t, rounds, r.Rounds)
		assert.Empty(t, r.Errors, "an interrupted job has not failed")
		for form, write := range map[string]func(io.Writer) error{"table": r.WriteTable, "json": r.WriteJSON, "csv": r.WriteCSV} {
			var out strings.Builder
			require.NoError(t, write(&out))
			said := map[string]string{
				"table": fmt.Sprintf("INTERRUPTED after %d of 6 steps", stop-1), "json": fmt.Sprintf(`"steps_done": %d`, stop-1),
				"csv": fmt.Sprintf("%d of 6 steps", stop-1),
			}
			assert.Contains(t, out.String(), said[form])
		}
	}
}

func TestExpectedTimeGrowsWithMeasurementsUpToTheLimit(t *testing.T) {
	plan := &suite.Plan{Jobs: []suite.Job{{Slots: make([]suite.Slot, 2)}, {Slots: make([]suite.Slot, 4)}}}
	s := suite.Settings{Rounds: 3, Duration: 200 * time.Millisecond}
	assert.Equal(t, 12*time.Second, plan.Expected(s))
	plan.Jobs[0].Beside = time.Second
	assert.Equal(t, 15*time.Second, plan.Expected(s), "what a job does beside")
	plan.Jobs[0].Beside = 0
	s.Limit = 10 * time.Second
	assert.Equal(t, 10*time.Second, plan.Expected(s))
	s.Limit = time.Second
	assert.Equal(t, 4*time.Second, plan.Expected(s), "the first round is measured in any case")
}

func TestEveryJobIsAStep(t *testing.T) {
	table, p := point("a")
	plan := &suite.Plan{Tables: []*report.Table{table}, Jobs: []suite.Job{sequence(suite.Slot{Point: p}, 1, 2, 3)}}
	steps := 0
	_, err := plan.Run(t.Context(), "test", suite.Settings{Rounds: 3}, func(*suite.Job) { steps++ })
	require.NoError(t, err)
	assert.Equal(t, 3, steps)
}
