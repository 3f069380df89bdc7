package main

import (
	"context"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/synthetic"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// runSynthetic is taskfarm synthetic on one rank.
func runSynthetic(ctx context.Context, world *mpi.Comm, s settings, out output) (finish func() error, err error) {
	start := time.Now()
	o := s.plan.Synthetic
	job := synthetic.New(o)
	if world.Rank() == 0 {
		p := newProgress(out.stderr, job.Tasks())
		defer p.close()
		job.Collected = p.taskDone
	}
	if err := job.Run(ctx, world, int(s.plan.Fanout)); err != nil {
		return nil, err
	}
	seconds := time.Since(start).Seconds()
	return func() error {
		if world.Rank() != 0 {
			return nil
		}
		sum := newSummary(world, s, seconds, job.Tasks(), job.Checksum())
		rate := float64(o.Tasks) / seconds
		bytesRate := rate * float64(o.TaskSize+o.ResultSize)
		sum.syntheticFigures = &syntheticFigures{o.TaskSize, o.ResultSize, o.Compute.Seconds(), rate, bytesRate}
		sum.what = fmt.Sprintf("%d tasks of %d bytes and %v, results of %d bytes", o.Tasks, o.TaskSize, o.Compute, o.ResultSize)
		sum.rate = fmt.Sprintf("%.4g tasks and %.4g MB per second", rate, bytesRate/1e6)
		return sum.print(s.json, out)
	}, nil
}
