package bench

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// mix is the programs that share the processors: copies of the job, and so many sequential programs on each.
type mix struct{ copies, sequential int }

// alone is what other mixes are compared with.
var alone = mix{copies: 1}

// processors is on how many a job is measured beside other programs.
const processors = 2

func (c mix) String() string {
	text := fmt.Sprintf("%d copies", c.copies)
	if c.copies == 1 {
		text = "1 copy"
	}
	if c.sequential > 0 {
		text += fmt.Sprintf(" +%d sequential", c.sequential)
	}
	return text
}

// fair is how many times as long as alone a copy of so many ranks takes if all programs have an equal share of the processors.
func (c mix) fair(ranks int) float64 {
	return float64(c.copies) + float64(processors*c.sequential)/float64(ranks)
}

// group is a mix that runs at the same time.
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
	for range processors * g.sequential {
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
