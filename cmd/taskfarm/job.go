package main

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/bar"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// job is what the farm does for a command.
type job interface {
	Tasks() int
	Run(ctx context.Context, world *mpi.Comm, fanout int, collected func()) error
}

// do does a job, and shows at rank 0 how many tasks are done.
func do(ctx context.Context, world *mpi.Comm, j job, s settings, out output) error {
	var progress bar.Bar
	if world.Rank() == 0 {
		progress = watched(out.stderr, j.Tasks())
		defer progress.Close()
	}
	return j.Run(ctx, world, int(s.plan.Fanout), progress.Step)
}

// watched returns a bar on a terminal, or, where mpirun stands between, one that is a line
// now and then.
func watched(w io.Writer, tasks int) bar.Bar {
	switch {
	case bar.Terminal(w):
		return bar.New(w, "tasks", tasks)
	case os.Getenv("SCTPMPI_TERMINAL") != "":
		return bar.NewLines(w, "tasks", tasks, time.Second)
	}
	return bar.Bar{}
}
