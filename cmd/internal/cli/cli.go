// Package cli has the parts of a command line that the benchmark programs share: flags, help,
// errors and exit statuses.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"
)

// Exit statuses other than 0.
const (
	Failure     = 1
	Usage       = 2
	Interrupted = 130 // what shells report for SIGINT
)

// UsageError is a mistake in the command line.
type UsageError struct{ Err error }

// Usagef makes a UsageError, as fmt.Errorf makes errors.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

func (e UsageError) Error() string { return e.Err.Error() }

func (e UsageError) Unwrap() error { return e.Err }

// Help is an error that asks for a help text, which it is.
type Help string

func (Help) Error() string { return "help was asked for" }

// Statuses explains the exit statuses in help texts.
const Statuses = `Exit status: 0 on success; 1 if something failed, which the report then names; 2 for a
wrong command line; 130 when interrupted: the report then has what had been measured, and says so.
`

// Parse reads flags. The name of the flag set is the command as the user types it; about is the
// text of its help. Other arguments are not allowed. The error is a UsageError or a Help.
func Parse(fs *pflag.FlagSet, args []string, about string) error {
	fs.SortFlags = false
	fs.Usage = func() {}
	help := fs.BoolP("help", "h", false, "show this text")
	if err := fs.Parse(args); err != nil {
		return UsageError{err}
	}
	if *help {
		return Help(fmt.Sprintf("usage: %s [flag]...\n\n%s\n%s\n%s", fs.Name(), about, fs.FlagUsages(), Statuses))
	}
	if fs.NArg() > 0 {
		return Usagef("%q is one argument too many", fs.Arg(0))
	}
	return nil
}

// Program is a program with its command line.
type Program struct {
	Name string
	// Help is the command that prints the help text.
	Help string
	// Run does what the arguments ask for. It ends early when the context is done.
	Run func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

// Main runs the program until it ends or is interrupted. It returns the exit status.
func (p Program) Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := p.Run(ctx, args, os.Stdout, os.Stderr)
	interrupted := ctx.Err() != nil
	stop()
	return p.Exit(err, interrupted, os.Stdout, os.Stderr)
}

// Exit prints an error or a help text, and returns the exit status.
func (p Program) Exit(err error, interrupted bool, stdout, stderr io.Writer) int {
	var usage UsageError
	var help Help
	switch {
	case err == nil:
		return 0
	case errors.As(err, &help):
		fmt.Fprint(stdout, string(help))
		return 0
	case interrupted:
		fmt.Fprintf(stderr, "%s: interrupted\n", p.Name)
		return Interrupted
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s: %v\nSee %s.\n", p.Name, err, p.Help)
		return Usage
	}
	fmt.Fprintf(stderr, "%s: %v\n", p.Name, err)
	return Failure
}
