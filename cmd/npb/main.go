// Command npb is the NAS Parallel Benchmarks, kernels that stand for what programs do on parallel
// computers, on the public API. See npb --help and docs/npb.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/kernels"
	"github.com/sctpmpi/sctpmpi/mpi"
)

var program = cli.Program{Name: "npb", Help: "npb --help"}

func main() {
	rank := 0
	interrupted := false
	finish := silent
	err := mpi.Run(func(world *mpi.Comm) (err error) {
		rank = world.Rank()
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop) // a second signal ends the process at once
		finish, err = run(ctx, world, os.Args[1:], os.Stdout)
		interrupted = err != nil && ctx.Err() != nil
		return err
	})
	if err == nil {
		err = finish()
	}
	os.Exit(report(err, rank, interrupted, os.Stdout, os.Stderr))
}

// run is npb on one rank. Only rank 0 reads the command line and prints. What is wrong with the
// command line or a result rank 0 says in finish, which is called when the world is done with. An
// error concerns the world as a whole and must end it.
func run(ctx context.Context, world *mpi.Comm, args []string, stdout io.Writer) (finish func() error, err error) {
	finish = silent
	world = world.WithContext(ctx)
	var s settings
	if world.Rank() == 0 {
		var wrong error
		if s, wrong = parse(args, world.Size()); wrong != nil {
			s.plan = plan{}
			finish = func() error { return wrong }
		}
	}
	if s.plan, err = mpi.BcastValue(world, s.plan, 0); err != nil {
		return finish, err
	}
	var failed []string
	for i, k := range kernels.All {
		if s.plan.Kernels&(1<<i) == 0 {
			continue
		}
		result, err := k.Run(world, s.plan.Class)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return finish, fmt.Errorf("%s: %w", k.Name, err)
		}
		if world.Rank() != 0 {
			continue
		}
		if err := newSummary(k, s.plan.Class, world, result).print(s.json, stdout); err != nil {
			return finish, err
		}
		if !result.Verified() {
			failed = append(failed, k.Name)
		}
	}
	if failed != nil {
		finish = func() error { return errors.New("verification failed: " + strings.Join(failed, ", ")) }
	}
	return finish, nil
}

// silent is the finish of the ranks that have nothing to say.
func silent() error { return nil }

// report prints an error or a help text, and returns the exit status. All ranks are interrupted, as a rule: rank 0 says so.
func report(err error, rank int, interrupted bool, stdout, stderr io.Writer) int {
	switch {
	case err == nil || rank == 0:
	case interrupted:
		stderr = io.Discard
	default:
		err = fmt.Errorf("rank %d: %w", rank, err)
	}
	return program.Exit(err, interrupted, stdout, stderr)
}
