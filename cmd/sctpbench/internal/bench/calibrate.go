package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/sctpbench/internal/worker"
)

// take first finds out how many messages take about the given time, which warms up both
// processes. Then it measures with that many.
func (m measurement) take(ctx context.Context, pair *worker.Pair, duration time.Duration) (suite.Figures, error) {
	count, err := measure.WarmUp(duration, func(n int) (time.Duration, error) {
		reply, err := m.ask(ctx, pair, n, duration)
		return reply.Elapsed, err
	})
	if err != nil {
		return nil, err
	}
	reply, err := m.ask(ctx, pair, count, duration)
	if err != nil {
		return nil, err
	}
	return m.figures(reply, count), nil
}

// ask asks for one measurement, and gives up after stepLimit.
func (m measurement) ask(ctx context.Context, pair *worker.Pair, count int, duration time.Duration) (worker.Reply, error) {
	limit := stepLimit(duration)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%v: no result after %v", m, limit))
	defer cancel()
	reply, err := pair.Do(ctx, worker.Request{Action: m.action, Size: m.size, Count: count})
	if err != nil {
		return reply, fmt.Errorf("%v: %w", m, err)
	}
	return reply, nil
}

// stepLimit is the longest time of a step that should take the given duration. It is for steps that hang: 2,000 associations
// take a second on an idle machine, and have taken more than a minute where forty other programs wanted the processors.
func stepLimit(duration time.Duration) time.Duration { return 5*time.Minute + 10*duration }
