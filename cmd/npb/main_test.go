package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/kernels"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// outcome is what a run shows.
type outcome struct {
	stdout, stderr string
	status         int
}

// npb runs the program on some ranks. Only rank 0 has the arguments.
func npb(t *testing.T, ranks int, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	var finish func() error
	require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			var err error
			finish, err = run(t.Context(), world, args, &stdout)
			return err
		}
		others, err := run(t.Context(), world, nil, io.Discard)
		if err == nil {
			err = others()
		}
		return err
	}))
	status := report(finish(), 0, false, &stdout, &stderr)
	return outcome{stdout.String(), stderr.String(), status}
}

// only lets the program have one kernel, with this result.
func only(t *testing.T, r nas.Result, err error) {
	there := kernels.All
	t.Cleanup(func() { kernels.All = there })
	kernels.All = []nas.Kernel{{Name: "k", About: "nothing", Ranks: nas.PowerOfTwo, Run: func(*mpi.Comm, nas.Class) (nas.Result, error) {
		return r, err
	}}}
}

var result = nas.Result{
	Size: "2 things", Iterations: 3, Seconds: 0.5, Operations: 4e6,
	Checks: []nas.Check{
		{Name: "sum", Got: 8, Want: 8, Tolerance: nas.Epsilon}, {Name: "count", Got: 7, Want: 7},
	},
}

func TestTable(t *testing.T) {
	only(t, result, nil)
	o := npb(t, 2, "--class", "w")
	assert.Regexp(t, `^K +class W: 2 things, iterations 3
ranks +2 over \S.*
time +0.500 s: 8.0 Mop/s, 4.0 per rank
verification +SUCCESSFUL  sum 8, expected 8, error 0.0e\+00
 +count 7, expected 7, error 0.0e\+00

$`, o.stdout)
	assert.Empty(t, o.stderr)
	assert.Zero(t, o.status)
}

func TestJSON(t *testing.T) {
	only(t, result, nil)
	o := npb(t, 2, "--json")
	var s summary
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &s))
	assert.NotEmpty(t, s.Transport)
	s.Transport = ""
	assert.Equal(t, summary{
		Kernel: "k", Class: "S", Size: "2 things", Iterations: 3, Ranks: 2, Seconds: 0.5, Mops: 8, MopsPerRank: 4, Verified: true,
		Checks: []check{{"sum", 8, 8, 0, true}, {"count", 7, 7, 0, true}},
	}, s)
}

func TestFailedVerificationIsAFailure(t *testing.T) {
	wrong := result
	wrong.Checks = []nas.Check{{Name: "sum", Got: 9, Want: 8, Tolerance: nas.Epsilon}}
	only(t, wrong, nil)
	o := npb(t, 1)
	assert.Contains(t, o.stdout, "FAILED  sum 9, expected 8, error 1.2e-01\n")
	assert.Equal(t, "npb: verification failed: k\n", o.stderr)
	assert.Equal(t, cli.Failure, o.status)
}

func TestErrorOfAKernelEndsTheJob(t *testing.T) {
	only(t, nas.Result{}, errors.New("no memory"))
	err := mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, err := run(t.Context(), world, nil, io.Discard)
		return err
	})
	assert.ErrorContains(t, err, "k: no memory")
}

func TestMistakesInTheCommandLine(t *testing.T) {
	only(t, result, nil)
	for want, args := range map[string][]string{
		`"more" is one argument too many`:             {"more"},
		`class "X" is none of S, W, A, B and C`:       {"--class", "X"},
		`class "" is none of S, W, A, B and C`:        {"--class", ""},
		`"xy" is no kernel; k are`:                    {"--kernel", "k,xy"},
		`"" is no kernel; k are`:                      {"--kernel", ""},
		"k runs on a power of two of ranks, not on 3": nil,
	} {
		assert.Equal(t, outcome{"", "npb: " + want + "\nSee npb --help.\n", cli.Usage}, npb(t, 3, args...))
	}
}

func TestAllAreThoseThatRunOnSoManyRanks(t *testing.T) {
	only(t, result, nil)
	other := kernels.All[0]
	other.Name, other.Ranks = "three", nas.AnyRanks
	kernels.All = append(kernels.All, other)
	s, err := parse(nil, 3)
	require.NoError(t, err)
	assert.EqualValues(t, 2, s.plan.Kernels, "the second only")
	_, err = parse([]string{"--kernel", "k,three"}, 3)
	assert.ErrorContains(t, err, "k runs on a power of two of ranks, not on 3")
}

func TestHelpIsPrintedOnce(t *testing.T) {
	o := npb(t, 2, "--help")
	assert.Equal(t, outcome{stdout: o.stdout}, o)
	assert.Equal(t, 1, strings.Count(o.stdout, "usage: mpirun -n RANKS npb "), o.stdout)
	for _, k := range kernels.All {
		assert.Contains(t, o.stdout, "  "+k.Name+"  "+k.About+"\n")
	}
	for line := range strings.Lines(o.stdout) {
		assert.LessOrEqual(t, len(line), 100, line)
	}
}

func TestInterruptEndsTheRank(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupt := errors.New("interrupt")
	cancel(interrupt)
	err := mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, err := run(ctx, world, nil, io.Discard)
		return err
	})
	assert.Error(t, err)
	var stderr strings.Builder
	assert.Equal(t, cli.Interrupted, report(err, 0, true, io.Discard, &stderr))
	assert.Equal(t, "npb: interrupted\n", stderr.String())
}
