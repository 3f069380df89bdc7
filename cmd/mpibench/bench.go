package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/bar"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/bench"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/suite"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// benchSettings are what the command line of a benchmark says, beside what is its own.
type benchSettings struct {
	bench.Options
	suite.Settings
	json, csv bool
	plot      string
}

func (s *benchSettings) flags(fs *pflag.FlagSet, c command) {
	fs.StringSliceVar(&s.Transports, "transport", bench.Transports(),
		"measure these `names` only, of "+strings.Join(mpi.Transports(), ", "))
	fs.IntVar(&s.Rounds, "rounds", 5, "measure all of it so many times, each in another order, of which the medians count")
	fs.DurationVar(&s.Settings.Duration, "duration", 150*time.Millisecond, "`time` that one measurement takes, after about as much of warming up")
	if c.limited {
		fs.DurationVar(&s.Limit, "limit", 4*time.Minute, "begin no round that would end after this `time`")
	}
	fs.BoolVar(&s.json, "json", false, "print one JSON object in place of tables")
	fs.BoolVar(&s.csv, "csv", false, "print comma-separated values in place of tables")
	fs.StringVar(&s.plot, "plot", "", "draw a chart into this `file`, .svg or .png, too")
}

func (s *benchSettings) check() error {
	switch {
	case s.Rounds < 1 || s.Rounds > 1000:
		return usagef("--rounds %d: it must be 1 to 1000", s.Rounds)
	case s.Settings.Duration < time.Millisecond || s.Settings.Duration > time.Minute:
		return usagef("--duration %v: it must be 1ms to 1m", s.Settings.Duration)
	case s.Limit < 0:
		return usagef("--limit %v: it must not be negative", s.Limit)
	case len(s.Transports) == 0:
		return usagef("--transport: no name")
	case s.json && s.csv:
		return usagef("--json and --csv: it can be printed in one way only")
	}
	if s.plot != "" {
		if err := report.CheckPlotFile(s.plot); err != nil {
			return usagef("--plot: %w", err)
		}
	}
	if err := bench.CheckTransports(s.Transports); err != nil {
		return usagef("--transport: %w", err)
	}
	s.Options.Duration = s.Settings.Duration
	return nil
}

// finder is a benchmark that looks for other programs first.
type finder interface {
	Find(ctx context.Context, folder string) error
}

// runBench is a command.
func runBench(ctx context.Context, c command, args []string, stdout, stderr io.Writer) error {
	var s benchSettings
	b := c.new()
	fs := pflag.NewFlagSet(c.name, pflag.ContinueOnError)
	b.Flags(fs)
	s.flags(fs, c)
	if err := parse(fs, args, c.about+"\n"); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	if err := b.Check(); err != nil {
		return usageError{err}
	}
	if f, ok := b.(finder); ok {
		folder, err := os.MkdirTemp("", "mpibench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		if err := f.Find(ctx, folder); err != nil {
			return err
		}
	}
	plan := b.Plan(s.Options)
	progress := watched(stderr, plan.Steps(s.Settings), plan.Expected(s.Settings))
	r, err := plan.Run(ctx, c.name, s.Settings, progress.Step)
	progress.Close()
	if err != nil {
		return err
	}
	return s.print(r, stdout)
}

// linesEvery is how often a line says how much has been measured, where there is no terminal
// for a bar.
const linesEvery = 10 * time.Second

// watched says how long it will take, and then how much has been measured, and the time left.
func watched(w io.Writer, steps int, expected time.Duration) bar.Bar {
	fmt.Fprintf(w, "mpibench: %d steps, about %v\n", steps, max(expected.Round(time.Second), time.Second))
	if !bar.Terminal(w) {
		return bar.NewLines(w, "steps", steps, linesEvery)
	}
	return bar.New(w, "steps", steps)
}

// print writes a report in the ways that were asked for.
func (s *benchSettings) print(r *report.Report, stdout io.Writer) error {
	write := r.WriteTable
	switch {
	case s.json:
		write = r.WriteJSON
	case s.csv:
		write = r.WriteCSV
	}
	if err := write(stdout); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if s.plot != "" {
		if err := plotTo(s.plot, r); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
	}
	if r.Failed {
		return errIncomplete
	}
	return nil
}

func plotTo(name string, r *report.Report) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := r.WritePlot(f, name); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
