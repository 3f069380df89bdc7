// Command netlab runs experiments, and programs, in networks with delay and loss: on this host, or in a throw-away virtual
// machine with kernel SCTP and netem. See netlab help, docs/experiments.md and docs/lab.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/trial"
	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
)

var program = cli.Program{Name: "netlab", Help: "netlab help"}

// Exit statuses other than those of package cli and of the command that was run.
const (
	statusTimeout     = 124 // as timeout(1) has it
	statusLab         = 125 // the lab is missing or has failed
	statusNotRunnable = 126 // as in a shell
	statusNotFound    = 127 // as in a shell
	statusSignal      = 128 // plus the signal's number
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run does what the command line says and returns the exit status.
func run(ctx context.Context, args []string, stdin *os.File, stdout, stderr io.Writer) int {
	o, err := parse(args)
	if err == nil {
		ctx, stop := notify(ctx, o.timeout)
		defer stop()
		switch o.verb {
		case "probe":
			err = probe(stdout)
		case "exec":
			err = execute(ctx, o, stdin, stdout, stderr)
		case "shell":
			err = shell(ctx, o, stdin, stdout)
		case "list":
			err = list(o.experiments, stdout)
		case "plan":
			err = o.experiments.plan(stdout)
		case "run":
			err = o.experiments.run(ctx, stdout, stderr)
		case "jobs":
			err = o.experiments.here(ctx, stderr)
		case "report":
			err = o.experiments.report(stdout)
		case "page":
			err = fill(o.command, stdout)
		case "rank":
			err = rank(o.command, stdout)
		}
	}
	return status(err, stdout, stderr)
}

// signalError is the cause of a context's end by a signal.
type signalError struct{ signal syscall.Signal }

func (e signalError) Error() string { return e.signal.String() }

var errTimeout = errors.New("the time is up")

// notify returns a context that ends on a signal and after the time-out, if that is not zero.
func notify(ctx context.Context, timeout time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if timeout > 0 {
		timer := time.AfterFunc(timeout, func() { cancel(errTimeout) })
		context.AfterFunc(ctx, func() { timer.Stop() })
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case s := <-signals:
			cancel(signalError{s.(syscall.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// execute runs a command with the program's own input and output: in a lab, or on emulated hosts, which are in a lab where this host
// cannot have any.
func execute(ctx context.Context, o options, stdin *os.File, stdout, stderr io.Writer) error {
	if o.hosts > 0 {
		if trial.Capable() == nil {
			return emulate(ctx, o, stdin, stdout, stderr)
		}
		own, err := os.Executable()
		if err != nil {
			return experimentError{err}
		}
		o.command = slices.Concat([]string{own, "exec", "--hosts", strconv.Itoa(o.hosts), "--conditions", o.conditions, "--"}, o.command)
	}
	c := lab.Command(ctx, o.config, o.command[0], o.command[1:]...)
	c.Stdout, c.Stderr = stdout, stderr
	if stdin != nil {
		c.Stdin = stdin
	}
	return c.Run()
}

// emulate runs a command on emulated hosts, on this host or in this lab.
func emulate(ctx context.Context, o options, stdin *os.File, stdout, stderr io.Writer) error {
	conditions, err := netem.Parse(o.conditions)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	e := trial.Emulation{Hosts: o.hosts, Conditions: conditions, Command: o.command, Stdout: stdout, Stderr: stderr}
	if stdin != nil {
		e.Stdin = stdin
	}
	return e.Run(ctx)
}

// probe says what this host can run.
func probe(w io.Writer) error {
	if err := lab.Probe(); err != nil {
		return err
	}
	where := "on this host itself"
	if lacking := trial.Capable(); lacking != nil {
		where = fmt.Sprintf("in a lab, as this host itself cannot (%v)", lacking)
	}
	_, err := fmt.Fprintf(w, "This host can run labs. Experiments run %s.\n", where)
	return err
}

// status says what went wrong, or gives the help that was asked for, and returns the exit status.
func status(err error, stdout, stderr io.Writer) int {
	var experiment experimentError
	var exit *lab.ExitError
	var caught signalError
	switch {
	case errors.As(err, &exit) && exit.Signal != 0:
		return statusSignal + int(exit.Signal)
	case errors.As(err, &exit):
		return exit.Code
	}
	code := program.Exit(err, false, stdout, stderr)
	switch {
	case code != cli.Failure:
		return code
	case errors.As(err, &caught):
		return statusSignal + int(caught.signal)
	case errors.Is(err, errTimeout):
		return statusTimeout
	case errors.As(err, &experiment):
		return code
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return statusNotFound
	case errors.Is(err, fs.ErrPermission):
		return statusNotRunnable
	}
	return statusLab
}
