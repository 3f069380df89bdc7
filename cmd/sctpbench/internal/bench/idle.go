package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/sctpbench/internal/worker"
)

const (
	idleName         = "idle"
	idleAssociations = 2000
	idleRatio        = "ratio"
	idleBytes        = "bytes_per_association"
)

// newIdleTable has a point without idle associations and one with them.
func newIdleTable() *report.Table {
	return &report.Table{
		Name: idleName, Dims: []string{"idle associations"},
		Columns: []report.Column{
			{Figure: halfRTT, Title: "half round trip of 64 B, µs", Format: "%.2f"},
			{Figure: idleRatio, Title: "ratio", Format: "%.3f"},
			{Figure: idleBytes, Title: "bytes each", Format: "%.0f"},
		},
		Points: []*report.Point{{At: []any{0}}, {At: []any{idleAssociations}}},
	}
}

// idleJob measures what idle associations cost: the latency over an endpoint's only association,
// then the same after a third process has made idle associations to that endpoint, and how much
// memory these take.
func (c Contender) idleJob(t *report.Table, duration time.Duration) suite.Job {
	return suite.Job{
		Name: idleName, Limit: jobLimit(3, duration), // two measurements and the idle associations
		Slots: []suite.Slot{{Point: t.Points[0]}, {Point: t.Points[1]}},
		Run: func(ctx context.Context) ([]suite.Figures, error) {
			pair, err := c.open(ctx, withChecksum, duration)
			if err != nil {
				return nil, err
			}
			defer pair.Close()
			alone, err := latency.take(ctx, pair, duration)
			if err != nil {
				return nil, err
			}
			others, err := worker.Start(c.Command...)
			if err != nil {
				return nil, err
			}
			defer others.Close()
			bytes, err := c.addIdle(ctx, pair, others, duration)
			if err != nil {
				return nil, err
			}
			with, err := latency.take(ctx, pair, duration)
			if err != nil {
				return nil, err
			}
			with[idleBytes] = bytes
			return []suite.Figures{alone, with}, nil
		},
	}
}

// addIdle has another process make idle associations, and returns how many bytes of the heap each
// takes at the listening end. Memory that was freed meanwhile can make that negative.
func (c Contender) addIdle(ctx context.Context, pair *worker.Pair, others *worker.Process, duration time.Duration) (float64, error) {
	limit := stepLimit(duration)
	ctx, cancel := context.WithTimeoutCause(ctx, limit,
		fmt.Errorf("%d idle associations were not set up within %v", idleAssociations, limit))
	defer cancel()
	before, err := pair.Listener(ctx, worker.Request{Action: worker.Heap})
	if err != nil {
		return 0, err
	}
	if err := pair.AddIdle(ctx, others, c.Name, idleAssociations); err != nil {
		return 0, err
	}
	after, err := pair.Listener(ctx, worker.Request{Action: worker.Heap})
	return (float64(after.HeapBytes) - float64(before.HeapBytes)) / idleAssociations, err
}

// addIdleRatio adds the latency beside idle associations divided by the latency without them.
func addIdleRatio(t *report.Table) {
	alone, ok1 := t.Points[0].Median(halfRTT)
	with, ok2 := t.Points[1].Median(halfRTT)
	if ok1 && ok2 {
		t.Points[1].Figures[idleRatio] = measure.Range(with / alone)
	}
}
