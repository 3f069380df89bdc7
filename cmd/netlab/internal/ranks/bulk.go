package ranks

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Bulk has rank 0 send as much as it can for a time to ranks 1 to Flows, each over connections of its own.
type Bulk struct {
	Flows int
	Size  int           // bytes of a message
	Under int           // messages of a flow under way
	For   time.Duration // from when the work begins
	// Settle is how much of it does not count, at the beginning.
	Settle time.Duration
	// Probe is the interval of short messages to one more rank, whose delay shows how long the queue is; 0 for none.
	Probe time.Duration
	// Beside is the congestion control of a connection of plain TCP to the host of rank 1 that carries what it can meanwhile. There is none
	// if it is empty.
	Beside string
}

// Ranks is how many ranks there are.
func (p Bulk) Ranks() int {
	if p.Probe > 0 {
		return p.Flows + 2
	}
	return p.Flows + 1
}

// Load implements plan.Loaded.
func (p Bulk) Load(int) plan.Load { return plan.Load{Time: p.For} }

const (
	probeSize   = 64 // bytes
	tagMeasured = 3
)

// bulk measures what the flows carry, together and how evenly, what of it is sent again, and how long a short message takes beside them.
func bulk(world *mpi.Comm, p Bulk, stdout io.Writer) (Metrics, error) {
	beside, err := p.meet(world)
	if err != nil {
		return nil, err
	}
	defer beside.close()
	if err := world.Barrier(); err != nil {
		return nil, err
	}
	if world.Rank() > 0 {
		return nil, p.take(world, beside)
	}
	if _, err := fmt.Fprintln(stdout, Begun); err != nil {
		return nil, err
	}
	before := packets(world)
	var over atomic.Bool
	time.AfterFunc(p.For, func() { over.Store(true) })
	work := []func() error{func() error { return beside.fill(&over) }}
	for flow := 1; flow <= p.Flows; flow++ {
		w := newWindow(world, flow, tagBulk, p.Size, p.Under)
		work = append(work, func() error { return until(&over, w, 0) })
	}
	if p.Probe > 0 {
		w := newWindow(world, p.Flows+1, tagSmall, probeSize, p.Under)
		work = append(work, func() error { return until(&over, w, p.Probe) })
	}
	if err := together(work...); err != nil {
		return nil, err
	}
	after := packets(world)
	m := Metrics{"again": 100 * (after.again - before.again) / max(after.all-before.all, 1)}
	return m, p.gather(world, m)
}

// until sends messages until time is up, at intervals unless every is 0.
func until(over *atomic.Bool, w *window, every time.Duration) error {
	for n := uint64(0); !over.Load(); n++ {
		if err := w.send(n, func(data []byte) { stamp(data, time.Now().UnixNano()) }); err != nil {
			return err
		}
		time.Sleep(every)
	}
	return w.end()
}

// take is what the other ranks do. They tell rank 0 what they have measured: how many bytes have come, the longest time without any, both
// after Settle, and in how many milliseconds half of the messages have come and all but one of a hundred; of what has come beside, bytes.
func (p Bulk) take(world *mpi.Comm, beside *besideTCP) error {
	tag, size := tagBulk, p.Size
	if world.Rank() > p.Flows {
		tag, size = tagSmall, probeSize
	}
	var t taken
	var l latencies
	drained := make(chan float64, 1)
	go func() { drained <- beside.drain(p.Settle, p.For) }()
	_, err := receive(world, 0, tag, size, 16, func(data []byte) {
		now := time.Now()
		if t.arrived(now, len(data), p.Settle, p.For) {
			l.arrived(data)
		}
	})
	if err != nil {
		return err
	}
	if len(l) == 0 {
		l = latencies{0}
	}
	return mpi.Send(world, []float64{t.bytes, t.gap.Seconds() * 1e3, l.quantile(0.5), l.quantile(0.99), <-drained}, 0, tagMeasured)
}

// taken is what has come.
type taken struct {
	first, last time.Time
	bytes       float64
	gap         time.Duration
}

// arrived notes bytes, and reports whether they count: the time begins with the first.
func (t *taken) arrived(now time.Time, n int, settle, end time.Duration) bool {
	if t.first.IsZero() {
		t.first, t.last = now, now
	}
	since := now.Sub(t.first)
	counts := since >= settle && since < end
	if counts {
		t.bytes += float64(n)
		t.gap = max(t.gap, now.Sub(t.last))
	}
	t.last = now
	return counts
}

// gather puts what the other ranks have measured together.
func (p Bulk) gather(world *mpi.Comm, m Metrics) error {
	var sum, squares, beside float64
	mbits := func(bytes float64) float64 { return bytes * 8 / (p.For - p.Settle).Seconds() / 1e6 }
	for rank := 1; rank < p.Ranks(); rank++ {
		told := make([]float64, 5)
		if _, err := mpi.Recv(world, told, rank, tagMeasured); err != nil {
			return err
		}
		if rank > p.Flows {
			m["wait50"], m["wait99"] = told[2], told[3]
			continue
		}
		sum += told[0]
		squares += told[0] * told[0]
		beside += told[4]
		m["gap"] = max(m["gap"], told[1])
	}
	m["throughput"] = mbits(sum)
	m["fairness"] = sum * sum / (float64(p.Flows) * max(squares, 1)) // Jain's index
	if p.Beside != "" {
		m["beside"] = mbits(beside)
		m["share"] = 100 * sum / max(sum+beside, 1)
	}
	return nil
}
