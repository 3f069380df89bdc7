package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/bench"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// settings are the flags that all commands have.
type settings struct {
	transports []string
	suite.Settings
}

func (s *settings) flags(fs *pflag.FlagSet, c command) {
	fs.StringSliceVar(&s.transports, "transport", bench.Transports(),
		"measure these `names` only, of "+strings.Join(mpi.Transports(), ", "))
	s.Settings.Flags(fs, c.limit)
}

// check returns a cli.UsageError for the first wrong value.
func (s *settings) check(b bench.Benchmark) error {
	if err := cmp.Or(s.Settings.Check(), bench.CheckTransports(s.transports), b.Check()); err != nil {
		return cli.UsageError{Err: err}
	}
	return nil
}

// finder is a benchmark that measures programs of others, and looks for them first.
type finder interface {
	Find(ctx context.Context, folder string) error
}

// runBench runs a command.
func runBench(ctx context.Context, c command, args []string, stdout, stderr io.Writer) error {
	var s settings
	b := c.new()
	fs := pflag.NewFlagSet("mpibench "+c.name, pflag.ContinueOnError)
	b.Flags(fs)
	s.flags(fs, c)
	if err := cli.Parse(fs, args, c.about+"\n"); err != nil {
		return err
	}
	if err := s.check(b); err != nil {
		return err
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
	if !c.media {
		if err := offUnlessChosen(rpi.EnvSharedMemory, stderr); err != nil {
			return err
		}
	}
	if err := offUnlessChosen(rpi.EnvEncrypt, stderr); err != nil {
		return err
	}
	plan := b.Plan(bench.Options{Transports: s.transports, Duration: s.Duration})
	return plan.Report(ctx, "mpibench", c.name, s.Settings, stdout, stderr)
}

// offUnlessChosen keeps ranks from sharing memory, which would hide their transport, or from sealing what they send, which
// other implementations do not do, unless the user has chosen. It says which holds.
func offUnlessChosen(name string, stderr io.Writer) error {
	value, chosen := os.LookupEnv(name)
	if !chosen {
		value = "off"
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(stderr, "mpibench: %s=%s\n", name, value)
	return err
}
