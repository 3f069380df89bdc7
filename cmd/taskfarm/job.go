package main

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/bar"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// job is what the farm does for a command. It is its own state in a checkpoint.
type job interface {
	Tasks() int
	Key() string
	Run(ctx context.Context, world *mpi.Comm, o farm.Options) (farm.Report, error)
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// do does a job, and shows at rank 0 how many tasks are done.
func do(ctx context.Context, world *mpi.Comm, j job, s settings, out output) (report farm.Report, err error) {
	if world.Rank() != 0 {
		return j.Run(ctx, world, farm.Options{})
	}
	o := farm.Options{Slots: s.slots, Fanout: s.fanout, Receives: receives[s.receives]}
	if s.checkpoint != "" {
		o.Checkpoint = &farm.Checkpoint{File: s.checkpoint, Job: j.Key(), State: j}
	}
	shown := watched(out.stderr, j.Tasks())
	defer func() { shown.End(err) }()
	done, said := 0, time.Now()
	o.Progress = func(p farm.Progress) {
		shown.Add(p.Done - done)
		done = p.Done
		if s.report > 0 && time.Since(said) >= s.report {
			said = time.Now()
			fmt.Fprintf(out.stderr, "taskfarm: %v\n", p)
		}
	}
	return j.Run(ctx, world, o)
}

// watched returns a bar on a terminal, also where mpirun stands between.
func watched(w io.Writer, tasks int) bar.Bar {
	if bar.Terminal(w) || os.Getenv(rpi.EnvTerminal) != "" {
		return bar.New(w, "tasks", tasks)
	}
	return bar.Bar{}
}

// then shows results, and removes the checkpoint when they are safe.
func (s settings) then(show func() error) func() error {
	return func() error {
		if err := show(); err != nil || s.checkpoint == "" {
			return err
		}
		if err := os.Remove(s.checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing the checkpoint: %w", err)
		}
		return nil
	}
}
