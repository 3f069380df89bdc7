package main

import (
	"context"
	"io"
	"os"

	"github.com/sctpmpi/sctpmpi/cmd/internal/bar"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// job is what the farm does for a command.
type job interface {
	Tasks() int
	Run(ctx context.Context, world *mpi.Comm, fanout int, collected func()) error
}

// do does a job, and shows at rank 0 how many tasks are done.
func do(ctx context.Context, world *mpi.Comm, j job, s settings, out output) (err error) {
	var progress bar.Bar
	if world.Rank() == 0 {
		progress = watched(out.stderr, j.Tasks())
		defer func() { progress.End(err) }()
	}
	return j.Run(ctx, world, int(s.plan.Fanout), progress.Step)
}

// watched returns a bar on a terminal, also where mpirun stands between.
func watched(w io.Writer, tasks int) bar.Bar {
	if bar.Terminal(w) || os.Getenv(rpi.EnvTerminal) != "" {
		return bar.New(w, "tasks", tasks)
	}
	return bar.Bar{}
}
