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
	report, err := do(ctx, world, job, s, out)
	if err != nil {
		return nil, err
	}
	if world.Rank() != 0 {
		return silent, nil
	}
	sum := newSummary(world, s, job.Tasks(), report, time.Since(start))
	sum.setChecksum(job.Checksum())
	rate := float64(o.Tasks) / sum.Seconds
	f := syntheticFigures{o.TaskSize, o.ResultSize, o.Compute.Seconds(), rate, rate * float64(o.TaskSize+o.ResultSize)}
	sum.syntheticFigures = &f
	sum.what = fmt.Sprintf("tasks %d of %d bytes and %v, results of %d bytes", o.Tasks, o.TaskSize, o.Compute, o.ResultSize)
	sum.rate = fmt.Sprintf("%.4g tasks and %.4g MB per second", rate, f.BytesPerSecond/1e6)
	return s.then(func() error { return sum.print(s.json, out) }), nil
}
