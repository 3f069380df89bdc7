package enginebench

import (
	"context"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/peer"
)

// asker has both ends of a link do something.
type asker interface {
	Do(context.Context, peer.Request) (peer.Reply, error)
}

// maxCount bounds the messages of one measurement, of which latency keeps all times.
const maxCount = 1 << 24

// measure finds out how many messages take about the given time, which warms up
// everything, and then measures with so many.
func measure(ctx context.Context, pair asker, m measurement, duration time.Duration) (Figures, error) {
	count := 1
	for {
		reply, err := ask(ctx, pair, m, count, duration)
		if err != nil {
			return nil, err
		}
		if reply.Elapsed >= duration/2 || count == maxCount {
			count = scale(count, reply.Elapsed, duration)
			break
		}
		count = min(max(scale(count, reply.Elapsed, duration*2/3), 2*count), 64*count, maxCount)
	}
	reply, err := ask(ctx, pair, m, count, duration)
	if err != nil {
		return nil, err
	}
	return m.figures(reply, count), nil
}

// scale returns how many messages take the given time if count take elapsed.
func scale(count int, elapsed, duration time.Duration) int {
	n := float64(count) * duration.Seconds() / max(elapsed, 1).Seconds()
	return int(min(max(n, 1), maxCount))
}

// ask asks for one measurement, and gives up when it takes far too long.
func ask(ctx context.Context, pair asker, m measurement, count int, duration time.Duration) (peer.Reply, error) {
	limit := stepLimit(duration)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%v: no result after %v", m, limit))
	defer cancel()
	reply, err := pair.Do(ctx, peer.Request{Action: m.action, Size: m.size, Count: count})
	if err != nil {
		return reply, fmt.Errorf("%v: %w", m, err)
	}
	return reply, nil
}

// stepLimit is how long a step may take that should take the given time.
func stepLimit(duration time.Duration) time.Duration { return 3*time.Second + 10*duration }
