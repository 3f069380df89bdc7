package metrics

import (
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/cmd/internal/top"
)

// leastInterval is between two looks at the job.
const leastInterval = time.Second

// watch looks at the job for all who ask.
type watch struct {
	look func() (sight.Job, bool)

	mu     sync.Mutex // the job is looked at, by one goroutine
	begun  time.Time  // when that began last
	job    sight.Job  // the last look
	counts []counts   // by rank
	last   *view
}

// view is a look at the job. It does not change, and what is made of it is made once.
type view struct {
	top.Report
	counts   []counts
	timeline []point // up to now, the oldest first
	// openMetrics and plain are the two formats for Prometheus, sample what the page shows but for the timeline.
	openMetrics, plain, sample func() []byte
}

// counts are those of a rank that never fall, as Prometheus wants: a send that is cancelled, and a connection that ends, take theirs away.
type counts struct{ sent, bytesSent, resent uint64 }

// see returns how the job is: as it was a moment ago, if it was looked at then. It is nil when the job has ended.
func (w *watch) see() *view {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last != nil && time.Since(w.begun) < leastInterval {
		return w.last
	}
	w.begun = time.Now()
	now, ok := w.look()
	if !ok {
		return nil
	}
	v := &view{Report: top.NewReport(now, w.job), counts: w.count(now)}
	if w.last != nil {
		v.timeline = w.last.timeline
	}
	v.timeline = lengthened(v.timeline, newPoint(&v.Report))
	v.openMetrics = sync.OnceValue(func() []byte { return v.exposition(true) })
	v.plain = sync.OnceValue(func() []byte { return v.exposition(false) })
	v.sample = sync.OnceValue(v.json)
	w.job, w.counts, w.last = now, v.counts, v
	return v
}

// count adds what is new since the look before.
func (w *watch) count(now sight.Job) []counts {
	all := make([]counts, len(now.Ranks))
	for i, rank := range now.Ranks {
		var then sight.Rank
		if i < len(w.counts) {
			then, all[i] = w.job.Ranks[i], w.counts[i]
		}
		c := &all[i]
		c.sent, c.bytesSent = max(c.sent, rank.Sent), max(c.bytesSent, rank.BytesSent)
		if rank.Resent > then.Resent {
			c.resent += rank.Resent - then.Resent
		}
	}
	return all
}
