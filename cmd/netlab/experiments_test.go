package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/campaign"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

func TestListHasEveryExperiment(t *testing.T) {
	status, out, _ := netlab(t, "list", "--quick")
	assert.Zero(t, status)
	for _, name := range []string{
		"pingpong-loss", "farm-loss", "hol", "sender-queue", "reorder", "longshort", "latereceiver", "search-loss", "correlation-loss", "sockets", "streams", "connections", "multihome",
		"multipath", "congestion", "congestion-grid", "hol-bbr",
	} {
		assert.Contains(t, out, name)
	}
}

func TestWrongCommandLinesOfRun(t *testing.T) {
	for want, args := range map[string][]string{
		"run needs an experiment":       {"run"},
		`"holl" is no experiment`:       {"run", "holl"},
		`"udp" is no transport`:         {"run", "--transports", "udp", "hol"},
		"--memory 1":                    {"run", "--memory", "1", "hol"},
		"--out: the name is empty":      {"run", "--out", "", "hol"},
		"--time 0s: it must be longer":  {"run", "--time", "0", "hol"},
		"list takes no arguments":       {"list", "hol"},
		"--piece 0s: it must be longer": {"run", "--piece", "0", "hol"},
		"rank needs a program":          {"rank"},
		"unknown flag: --quickly":       {"run", "--quickly", "hol"},
		`invalid argument "x" for "--s`: {"run", "--seed", "x", "hol"},
	} {
		status, _, errs := netlab(t, args...)
		assert.Equal(t, cli.Usage, status, args)
		assert.Contains(t, errs, want)
	}
}

func TestResultsAreNotMixedWithThoseOfAnotherRun(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, record.FileName), nil, 0o644))
	status, _, errs := netlab(t, "run", "--out", dir, "hol")
	assert.Equal(t, cli.Usage, status)
	assert.Contains(t, errs, "--resume")
}

func TestRunNeedsTheProgramsThatItRuns(t *testing.T) {
	dir := t.TempDir()
	mpirun := filepath.Join(dir, "mpirun")
	require.NoError(t, os.WriteFile(mpirun, nil, 0o755))
	status, _, errs := netlab(t, "run", "--out", filepath.Join(dir, "out"), "--mpirun", mpirun, "search-loss")
	assert.Equal(t, 1, status)
	assert.Contains(t, errs, "search-loss runs taskfarm, which is not beside "+mpirun)
}

func TestPlanSaysWhatARunWouldDo(t *testing.T) {
	status, out, _ := netlab(t, "plan", "--piece", "10m", "multihome", "streams")
	assert.Zero(t, status)
	assert.Regexp(t, `streams +11 +6 +66 +`, out)
	assert.Regexp(t, `all +37 +222 +`, out)
	assert.Contains(t, out, "pieces of at most 10m0s")
	assert.NotContains(t, out, "pingpong-loss")
	_, all, _ := netlab(t, "plan")
	assert.Contains(t, all, "pingpong-loss")
}

// What the pages and the help say of quick runs is what netlab plan --quick adds up.
func TestPagesSayHowLongQuickRunsTake(t *testing.T) {
	_, help, _ := netlab(t, "--help")
	assert.Contains(t, help, "all experiments "+quickTime())
	_, out, _ := netlab(t, "plan", "--quick")
	sums := regexp.MustCompile(`all +\d+ +\d+ +(\S+) +(\S+)`).FindStringSubmatch(out)
	require.NotNil(t, sums, out)
	var minutes [2]float64
	for i := range minutes {
		sum, err := time.ParseDuration(sums[1+i])
		require.NoError(t, err)
		minutes[i] = sum.Minutes()
	}
	assert.Equal(t, fmt.Sprintf("in some %v minutes, %v at most", minutes[0], minutes[1]), quickTime())
	for _, page := range []string{"README.md", "docs/experiments.md"} {
		text, err := os.ReadFile(filepath.Join("../..", page))
		require.NoError(t, err)
		assert.Regexp(t, "netlab run all --quick.* "+quickTime(), string(text), page)
	}
}

func TestRunIsResumedAsItWasBegun(t *testing.T) {
	dir := t.TempDir()
	status, _, errs := netlab(t, "run", "--resume", "--out", dir)
	assert.Equal(t, cli.Failure, status)
	assert.Contains(t, errs, "no run to resume")

	own, err := os.Executable()
	require.NoError(t, err)
	o := experimentOptions{out: dir, resume: true, mpirun: own, seed: 1}
	begun := campaign.Describe(nil, true, 7)
	begun.Experiments, begun.Transports, begun.Time = []string{"hol"}, []string{"tcp-perpair"}, time.Hour
	begun.Build, err = o.build()
	require.NoError(t, err)
	require.NoError(t, begun.Keep(dir))
	o, err = o.resumed()
	require.NoError(t, err)
	assert.Equal(t, experimentOptions{
		names: begun.Experiments, quick: true, seed: 7, transports: begun.Transports, time: time.Hour, out: dir, resume: true, mpirun: own,
	}, o)
	o.mpirun = os.DevNull
	_, err = o.resumed()
	assert.ErrorContains(t, err, "is of another build")
}

func TestReportOfNoRunIsAnError(t *testing.T) {
	status, _, errs := netlab(t, "report", "--out", t.TempDir())
	assert.Equal(t, cli.Failure, status)
	assert.Contains(t, errs, "no run to report on")
}

// The report's command can be typed again.
func TestCommandOfTheReport(t *testing.T) {
	for args, want := range map[string]string{
		"run hol":                                             "netlab run --out netlab-results hol",
		"run --quick --time 240s longshort":                   "netlab run --out netlab-results --quick --time 4m0s longshort",
		"run --transports a,b --out it's":                     `netlab run --out 'it'\''s' --transports a,b`,
		"jobs --mpirun /x --seed=7 --quick=false hol streams": "netlab run --out netlab-results --seed 7 hol streams",
	} {
		var o options
		fs := o.experimentFlags()
		require.NoError(t, fs.Parse(strings.Fields(args)[1:]))
		o.experiments.names = fs.Args()
		assert.Equal(t, want, strings.Join(o.experiments.command(), " "))
	}
}

func TestUnknownRankProgramIsAnError(t *testing.T) {
	status, _, errs := netlab(t, "rank", "no-such-program", "{}", "0")
	assert.Equal(t, cli.Failure, status)
	assert.Contains(t, errs, "no rank program")
}
