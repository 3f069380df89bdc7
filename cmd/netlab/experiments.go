package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	output "github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/campaign"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/experiments"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/trial"
)

// experimentOptions are what a command line says about experiments.
type experimentOptions struct {
	names      []string
	out        string
	quick      bool
	time       time.Duration // of an experiment; 0: its own
	piece      time.Duration // of the whole run, until it is resumed
	resume     bool
	transports []string
	seed       uint64
	memory     int64  // of a lab, MiB
	mpirun     string // the launcher; empty: to be found
}

// experimentError is what went wrong with an experiment, rather than with a lab.
type experimentError struct{ error }

func (e experimentError) Unwrap() error { return e.error }

func (o *options) experimentFlags() *pflag.FlagSet {
	e := &o.experiments
	fs := pflag.NewFlagSet("netlab", pflag.ContinueOnError)
	fs.SortFlags = false
	fs.Usage = func() {}
	fs.StringVar(&e.out, "out", "netlab-results", "`directory` for results and report")
	fs.BoolVar(&e.quick, "quick", false, "few cases and repetitions: all experiments "+quickTime())
	fs.DurationVar(&e.time, "time", 0, "`duration` of each experiment, such as 10m, whatever it would take by itself; --resume can add to it")
	fs.DurationVar(&e.piece, "piece", 2*time.Hour, "end after this `duration`, with status 1 if jobs are left, which --resume goes on with")
	fs.BoolVar(&e.resume, "resume", false, "go on with the run in the directory, by the programs that began it; with no names, with all of it")
	fs.StringSliceVar(&e.transports, "transports", nil, "only these transports, separated by commas")
	fs.Uint64Var(&e.seed, "seed", 1, "determines the `order` of jobs")
	fs.Int64Var(&e.memory, "memory", 3072, "memory of the lab, if one is needed, in `MiB`")
	fs.StringVar(&e.mpirun, "mpirun", "", "the launcher's `file`, if not beside netlab's or built from source")
	return fs
}

// parseExperiments reads what follows list, run or report.
func (o *options) parseExperiments(args []string) error {
	fs := o.experimentFlags()
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	e := &o.experiments
	e.names = fs.Args()
	switch {
	case o.verb == "run" && len(e.names) == 0 && !e.resume:
		return cli.Usagef("run needs an experiment, or all; netlab list shows them")
	case (o.verb == "list" || o.verb == "report") && len(e.names) > 0:
		return cli.Usagef("%s takes no arguments, there is %q", o.verb, e.names[0])
	case e.memory < 512 || e.memory > 1<<20:
		return cli.Usagef("--memory %d: it must be from 512 to %d MiB", e.memory, 1<<20)
	case e.time < 0 || fs.Changed("time") && e.time == 0:
		return cli.Usagef("--time %v: it must be longer than nothing", e.time)
	case e.piece <= 0:
		return cli.Usagef("--piece %v: it must be longer than nothing", e.piece)
	case e.out == "":
		return cli.Usagef("--out: the name is empty")
	}
	if _, err := experiments.Select(e.names, e.transports, e.quick); err != nil {
		return cli.UsageError{Err: err}
	}
	if o.verb == "plan" && len(e.names) == 0 {
		e.names = []string{"all"}
	}
	return nil
}

// list says which experiments there are.
func list(o experimentOptions, stdout io.Writer) error {
	for _, e := range experiments.All(o.quick) {
		names := make([]string, len(e.Variants))
		for i, v := range e.Variants {
			names[i] = v.Name
		}
		_, err := fmt.Fprintf(stdout, "%-14s %s\n%-14s %d cells, up to %d rounds within %v: %s\n",
			e.Name, e.Question, "", len(e.Cells()), e.Rounds, e.Budget, strings.Join(names, "; "))
		if err != nil {
			return err
		}
	}
	return nil
}

// quickTime is what all experiments take if they are quick, by their plan.
func quickTime() string {
	var expected, most time.Duration
	for _, e := range experiments.All(true) {
		expected, most = expected+e.Expected(), most+e.Budget
	}
	return fmt.Sprintf("in some %.0f minutes, %.0f at most", expected.Minutes(), math.Ceil(most.Minutes()))
}

// plan says what a run will do and how long it will take.
func (o experimentOptions) plan(stdout io.Writer) error {
	selected, err := o.selected()
	if err != nil {
		return err
	}
	lines := [][]string{{"experiment", "cells", "jobs of each", "jobs", "expected time", "at most"}}
	row := func(name string, cells int, rounds string, jobs int, expected, most time.Duration) {
		lines = append(lines, []string{
			name, strconv.Itoa(cells), rounds, strconv.Itoa(jobs), expected.Round(time.Minute).String(), most.Round(time.Minute).String(),
		})
	}
	var cells, jobs int
	var expected, most time.Duration
	for i := range selected {
		e := &selected[i]
		row(e.Name, len(e.Cells()), strconv.Itoa(e.Rounds), e.Jobs(), e.Expected(), e.Budget)
		cells, jobs, expected, most = cells+len(e.Cells()), jobs+e.Jobs(), expected+e.Expected(), most+e.Budget
	}
	row("all", cells, "", jobs, expected, most)
	if err := output.Grid(stdout, tabwriter.AlignRight, lines); err != nil {
		return err
	}
	if expected <= o.piece {
		return nil
	}
	pieces := math.Ceil(float64(expected) / float64(o.piece))
	_, err = fmt.Fprintf(stdout, "That is %.0f pieces of at most %v: netlab run begins, and netlab run --resume goes on.\n", pieces, o.piece)
	return err
}

// prepare makes the directory of a run, and sees to it that no results are mixed with others.
func (o experimentOptions) prepare() error {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return experimentError{err}
	}
	if _, err := os.Stat(filepath.Join(o.out, record.FileName)); err == nil && !o.resume {
		return cli.Usagef("%s has the results of a run already: go on with it by --resume, or begin another with --out", o.out)
	}
	return nil
}

// run runs experiments, here or in a lab, and writes the report, of what there is if it is interrupted.
func (o experimentOptions) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := o.prepare(); err != nil {
		return err
	}
	launcher, remove, err := o.launcher(ctx)
	if err != nil {
		return experimentError{err}
	}
	defer remove()
	o.mpirun = launcher
	if o, err = o.resumed(); err == nil {
		err = o.equipped()
	}
	if err != nil {
		return experimentError{err}
	}
	err = o.somewhere(ctx, stdout, stderr)
	if _, none := os.Stat(filepath.Join(o.out, record.FileName)); none == nil {
		err = errors.Join(err, o.report(stdout))
	}
	return err
}

// resumed returns the options of a run that is gone on with, if it may be: without names, those that it was begun with.
func (o experimentOptions) resumed() (experimentOptions, error) {
	before, err := campaign.ReadEnvironment(o.out)
	if !o.resume || errors.Is(err, fs.ErrNotExist) && len(o.names) > 0 {
		return o, nil
	}
	if err != nil {
		return o, fmt.Errorf("no run to resume: %w", err)
	}
	if len(o.names) == 0 {
		o.names, o.quick, o.seed, o.transports = before.Experiments, before.Quick, before.Seed, before.Transports
		if o.time == 0 {
			o.time = before.Time
		}
	}
	build, err := o.build()
	if err != nil {
		return o, err
	}
	return o, campaign.Resumable(o.out, build, o.quick, o.seed)
}

// equipped returns an error if a program is missing that an experiment runs: all its jobs would fail.
func (o experimentOptions) equipped() error {
	selected, err := o.selected()
	if err != nil {
		return err
	}
	programs := trial.Programs{Mpirun: o.mpirun}
	for _, e := range selected {
		for _, c := range e.Cases {
			if c.App != nil && !fileExists(programs.App(c.App.Name)) {
				return fmt.Errorf("%s runs %s, which is not beside %s: build it there, by go build -o %s ./cmd/%s", e.Name, c.App.Name, o.mpirun, filepath.Dir(o.mpirun), c.App.Name)
			}
		}
	}
	return nil
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// build names the programs that jobs consist of.
func (o experimentOptions) build() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	programs := []string{own, o.mpirun}
	if app := (trial.Programs{Mpirun: o.mpirun}).App("taskfarm"); fileExists(app) {
		programs = append(programs, app)
	}
	return campaign.Build(programs...)
}

// report writes the report of a run and says where it is.
func (o experimentOptions) report(stdout io.Writer) error {
	environment, err := campaign.ReadEnvironment(o.out)
	if err != nil {
		return experimentError{fmt.Errorf("no run to report on: %w", err)}
	}
	lacks, err := report.Write(o.out, experiments.All(environment.Quick), stdout)
	if err != nil {
		return experimentError{err}
	}
	if _, err = fmt.Fprintln(stdout, "Report:", filepath.Join(o.out, report.Page)); err != nil {
		return err
	}
	if err := lacks.Err(); err != nil {
		return experimentError{err}
	}
	return nil
}

// mostRounds is how often each cell is measured at most, where the time is given.
const mostRounds = 15

// selected are the experiments that the command line names.
func (o experimentOptions) selected() ([]plan.Experiment, error) {
	selected, err := experiments.Select(o.names, o.transports, o.quick)
	if o.time > 0 {
		for i := range selected {
			e := &selected[i]
			for j := range e.Cases { // so that a job has its part of the time that was added
				e.Cases[j].Timeout = max(e.Cases[j].Timeout, time.Duration(float64(e.Cases[j].Timeout)*float64(o.time)/float64(e.Budget)))
			}
			e.Budget, e.Rounds = o.time, mostRounds
		}
	}
	return selected, err
}

// rank runs a program of package ranks, as run has asked for.
func rank(args []string, stdout io.Writer) error {
	if len(args) != 3 {
		return cli.Usagef("rank needs a program, its parameters and the rank's number")
	}
	number, err := strconv.Atoi(args[2])
	if err != nil {
		return cli.Usagef("rank %q is no number", args[2])
	}
	if err := ranks.Run(args[0], []byte(args[1]), number, stdout); err != nil {
		return experimentError{err}
	}
	return nil
}
