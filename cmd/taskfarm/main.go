// Command taskfarm is the example application of the library: a farm of tasks
// that a manager hands out to workers. It searches protein databases, correlates
// their features, or does synthetic tasks to measure the farm itself. See docs/taskfarm.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

var program = cli.Program{Name: "taskfarm", Help: "taskfarm help"}

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
	os.Exit(report(err, rank, interrupted, os.Stdout, os.Stderr))
}

// output is where rank 0 writes to.
type output struct{ stdout, stderr io.Writer }

// command is what all ranks do.
type command int32

const (
	nothing command = iota // rank 0 says why
	searching
	correlating
	synthesizing
)

// String is the name on the command line.
func (c command) String() string {
	return [...]string{nothing: "help", searching: "search", correlating: "correlate", synthesizing: "synthetic"}[c]
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
			finish = func() error { return wrong }
		}
	}
	plans := []plan{s.plan}
	comm, err := together(ctx, world, func(c *mpi.Comm) error { return mpi.Bcast(c, plans, 0) })
	if err != nil {
		return finish, err
	}
	switch s.plan = plans[0]; s.plan.Command {
	case searching:
		return runSearch(ctx, comm, s, in, out)
	case correlating:
		return runCorrelate(ctx, comm, s, in, out)
	case synthesizing:
		return runSynthetic(ctx, comm, s, out)
	}
	return finish, nil
}

// silent is the finish of the ranks that have nothing to say.
func silent() error { return nil }

// report prints an error or a help text, and returns the exit status. All ranks are interrupted, as a rule: rank 0 says so.
func report(err error, rank int, interrupted bool, stdout, stderr io.Writer) int {
	switch {
	case err == nil || rank == 0:
	case interrupted || errors.Is(err, farm.ErrStopped): // rank 0 says why
		stderr = io.Discard
	default:
		err = fmt.Errorf("rank %d: %w", rank, err)
	}
	return program.Exit(err, interrupted, stdout, stderr)
}
