// Command taskfarm is the example application of the library: a farm of tasks
// that a manager hands out to workers. It searches protein databases, or does
// synthetic tasks to measure the farm itself. See docs/taskfarm.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Exit statuses other than 0.
const (
	statusFailure     = 1
	statusUsage       = 2
	statusInterrupted = 130 // as shells have it for SIGINT
)

func main() {
	rank := 0
	interrupted := false
	finish := silent
	err := mpi.Run(func(world *mpi.Comm) (err error) {
		rank = world.Rank()
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop) // a second signal ends the process at once
		finish, err = run(ctx, world, os.Args[1:], output{os.Stdout, os.Stderr})
		interrupted = err != nil && ctx.Err() != nil
		return err
	})
	if err == nil {
		err = finish()
	}
	os.Exit(report(err, rank, interrupted, os.Stderr))
}

// output is where rank 0 writes to.
type output struct{ stdout, stderr io.Writer }

// command is what all ranks do.
type command int32

const (
	nothing command = iota // rank 0 says why
	searching
	synthesizing
)

// String is the name on the command line.
func (c command) String() string {
	return [...]string{nothing: "help", searching: "search", synthesizing: "synthetic"}[c]
}

// run is taskfarm on one rank. Only rank 0 reads the command line and files;
// what it makes of them it tells the others. What it has to say in the end,
// good or bad, it says in finish, which is called when the world is done with.
// An error concerns the world as a whole and must end it.
func run(ctx context.Context, world *mpi.Comm, args []string, out output) (finish func() error, err error) {
	finish = silent
	var s settings
	in := new(input)
	if world.Rank() == 0 {
		var wrong error
		if s, wrong = parse(args); wrong == nil {
			in, wrong = open(s)
		}
		if wrong != nil {
			s.plan.Command = nothing
			finish = func() error { return explain(wrong, out.stdout) }
		}
	}
	plans := []plan{s.plan}
	if err := mpi.Bcast(world.WithContext(ctx), plans, 0); err != nil {
		return finish, err
	}
	switch s.plan = plans[0]; s.plan.Command {
	case searching:
		return runSearch(ctx, world, s, in, out)
	case synthesizing:
		return runSynthetic(ctx, world, s, out)
	}
	return finish, nil
}

// silent is the finish of the ranks that have nothing to say.
func silent() error { return nil }

// explain prints help if that is all that was wrong.
func explain(wrong error, stdout io.Writer) error {
	if !errors.Is(wrong, pflag.ErrHelp) {
		return wrong
	}
	_, err := io.WriteString(stdout, help())
	return err
}

// report prints an error and returns the exit status.
func report(err error, rank int, interrupted bool, stderr io.Writer) int {
	var usage usageError
	switch {
	case err == nil:
		return 0
	case interrupted:
		if rank == 0 { // all ranks are, as a rule
			fmt.Fprintln(stderr, "taskfarm: interrupted")
		}
		return statusInterrupted
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "taskfarm: %v\nSee taskfarm help.\n", err)
		return statusUsage
	case rank == 0:
		fmt.Fprintf(stderr, "taskfarm: %v\n", err)
	default:
		fmt.Fprintf(stderr, "taskfarm: rank %d: %v\n", rank, err)
	}
	return statusFailure
}
