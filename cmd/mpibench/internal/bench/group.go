package bench

import (
	"context"
	"sync"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// group is copies of a job, and sequential programs, that run together.
type group struct {
	company
	job launch.Job
}

// run runs a group: all begin together; the sequential programs end when the copies have.
// The figures are means of the copies', and those of the slowest copy and of the speed of
// sequential programs, as a share of a core of their own.
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

// figures waits for the one result of each process.
func figures(ctx context.Context, processes []*launch.Process) ([]rank.Figures, error) {
	results := make([]rank.Figures, len(processes))
	errs := make([]error, len(processes))
	var all sync.WaitGroup
	for i, p := range processes {
		all.Go(func() {
			var f []rank.Figures
			if f, errs[i] = p.Figures(ctx, 1); errs[i] == nil {
				results[i] = f[0]
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// means are the arithmetic means of figures that all have.
func means(all []rank.Figures) rank.Figures {
	mean := make(rank.Figures)
	for _, f := range all {
		for name, value := range f {
			mean[name] += value / float64(len(all))
		}
	}
	return mean
}
