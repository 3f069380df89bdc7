package bench

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// group is copies of a job and sequential programs that run at the same time.
type group struct {
	mix
	job launch.Job
}

// run runs a group. All programs begin together. The sequential ones stop when the copies have ended.
// The figures are the means of the copies' figures, the time of the slowest copy, and the speed of
// the sequential programs as a share of that on an otherwise idle core.
func (g group) run(ctx context.Context) ([]rank.Figures, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var copies, sequential []*launch.Process
	defer func() {
		cancel()
		for _, p := range append(copies, sequential...) {
			p.Close()
		}
	}()
	for range g.copies {
		p, err := g.job.Start(ctx)
		if err != nil {
			return nil, err
		}
		copies = append(copies, p)
	}
	for range g.sequential {
		p, err := launch.StartSequential(ctx)
		if err != nil {
			return nil, err
		}
		sequential = append(sequential, p)
	}
	all := append(copies, sequential...)
	for _, p := range all {
		if err := p.Ready(ctx); err != nil {
			return nil, err
		}
	}
	for _, p := range all {
		if err := p.Begin(); err != nil {
			return nil, err
		}
	}
	jobs, err := figures(ctx, copies)
	if err != nil {
		return nil, err
	}
	for _, p := range sequential {
		p.Release()
	}
	others, err := figures(ctx, sequential)
	if err != nil {
		return nil, err
	}
	mean := means(jobs)
	for _, f := range jobs {
		mean["slowest_s"] = max(mean["slowest_s"], f["wall_s"])
	}
	if len(others) > 0 {
		mean["sequential"] = means(others)["speed"]
	}
	return []rank.Figures{mean}, nil
}

// figures waits for the result of each process, of which there is one.
func figures(ctx context.Context, processes []*launch.Process) ([]rank.Figures, error) {
	results := make([]rank.Figures, len(processes))
	var g errgroup.Group
	for i, p := range processes {
		g.Go(func() error {
			f, err := p.Figures(ctx, 1)
			if err == nil {
				results[i] = f[0]
			}
			return err
		})
	}
	return results, g.Wait()
}

// means returns the arithmetic mean of each figure. All must have the same figures.
func means(all []rank.Figures) rank.Figures {
	mean := make(rank.Figures)
	for _, f := range all {
		for name, value := range f {
			mean[name] += value / float64(len(all))
		}
	}
	return mean
}
