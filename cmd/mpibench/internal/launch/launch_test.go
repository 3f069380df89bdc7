package launch_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// TestMain makes the test program a launcher, a rank, or a program that misbehaves.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 {
		switch os.Args[1] {
		case launch.Command:
			os.Exit(launch.Main(os.Args[2], os.Stdin, os.Stdout, os.Stderr))
		case launch.RankCommand:
			os.Exit(rank.Main(os.Args[2], os.Stdin, os.Stdout, os.Stderr))
		case "say":
			_, _ = os.Stdout.WriteString(os.Args[2])
			os.Exit(0)
		case "fail":
			_, _ = os.Stderr.WriteString(os.Args[2])
			os.Exit(3)
		case "hang":
			_, _ = os.Stdout.WriteString(os.Args[2])
			select {}
		}
	}
	if len(os.Args) == 2 && os.Args[1] == launch.SequentialCommand {
		os.Exit(rank.SequentialMain(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

var works = []rank.Work{{Program: "latency", Size: 8, Count: 3}, {Program: "flood", Size: 8, Window: 2, Count: 3}}

func TestJobReturnsTheFiguresOfAllItsWorks(t *testing.T) {
	for _, job := range []launch.Job{
		{Ranks: 2, Transport: "tcp-perpair", Order: rank.Order{Works: works}},
		{Transport: "sctp-engine", Order: rank.Order{Works: works, Local: true, Idle: 2}},
	} {
		figures, err := job.Run(t.Context())
		require.NoError(t, err)
		require.Len(t, figures, 2)
		assert.Contains(t, figures[0], "half_rtt_us")
		assert.Contains(t, figures[1], "msgs_s")
	}
}

func TestJobThatWaitsBeginsWhenItIsTold(t *testing.T) {
	p, err := launch.Job{Ranks: 2, Order: rank.Order{Works: works, Wait: true}}.Start(t.Context())
	require.NoError(t, err)
	require.NoError(t, p.Ready(t.Context()))
	require.NoError(t, p.Begin())
	figures, err := p.Figures(t.Context(), 2)
	require.NoError(t, err)
	assert.Len(t, figures, 2)
}

func TestSequentialProgramRunsUntilItIsReleased(t *testing.T) {
	p, err := launch.StartSequential(t.Context())
	require.NoError(t, err)
	require.NoError(t, p.Ready(t.Context()))
	require.NoError(t, p.Begin())
	p.Release()
	figures, err := p.Figures(t.Context(), 1)
	require.NoError(t, err)
	assert.Positive(t, figures[0]["speed"])
}

func TestFailureOfAJobIsExplainedByItsStandardError(t *testing.T) {
	_, err := launch.Job{Ranks: 2, Order: rank.Order{Works: []rank.Work{{Program: "sleep"}}}}.Run(t.Context())
	assert.ErrorContains(t, err, `"sleep" is none of the programs`)
	_, err = launch.Job{Ranks: 2, Transport: "pigeon", Order: rank.Order{Works: works}}.Run(t.Context())
	assert.ErrorContains(t, err, `unknown transport "pigeon"`)
}

// start starts the test program again.
func start(t *testing.T, ctx context.Context, args ...string) *launch.Process {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	p, err := launch.Start(exec.CommandContext(ctx, self, args...))
	require.NoError(t, err)
	return p
}

func TestResultsThatAreNotWhatWasAskedForAreErrors(t *testing.T) {
	for _, c := range []struct{ action, text, want string }{
		{"say", "{\"x\": 1}\n", "after 1 of 2 results"},
		{"say", "{\"x\": 1}\n{\"x\": 2}\n{\"x\": 3}\n", "more than the results of 2 works"},
		{"say", "{\"x\": 1}\nwhat?\n", `result 2, "what?"`},
		{"fail", "no such luck\n", "no such luck"},
		{"fail", "", "exit status 3"},
	} {
		_, err := start(t, t.Context(), c.action, c.text).Figures(t.Context(), 2)
		assert.ErrorContains(t, err, c.want)
	}
	_, err := start(t, t.Context(), "fail", "no memory\nthe job ends\nno memory\nno memory\n").Figures(t.Context(), 1)
	assert.EqualError(t, err, "no memory\nthe job ends", "ranks that say the same say it once")
	assert.ErrorContains(t, start(t, t.Context(), "fail", "not today").Ready(t.Context()), "not today")
}

func TestProcessEndsWithItsContextAndTheErrorIsItsCause(t *testing.T) {
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	p := start(t, ctx, "hang", "{\"x\": 1}\n")
	time.AfterFunc(time.Millisecond, func() { cancel(late) })
	_, err := p.Figures(ctx, 2)
	assert.ErrorIs(t, err, late)
}

func TestProcessMayHangAfterItsLastResult(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	figures, err := start(t, ctx, "hang", "{\"x\": 1}\n").FiguresThen(ctx, 1, cancel)
	require.NoError(t, err)
	assert.Equal(t, []rank.Figures{{"x": 1}}, figures)
}
