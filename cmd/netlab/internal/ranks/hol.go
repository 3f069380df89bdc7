package ranks

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// HeadOfLine sends small messages of one TRC at intervals from rank 1 to rank 0, in three phases: while another TRC carries bulk at
// intervals and the network loses nothing; the same while it loses; and alone while it loses.
type HeadOfLine struct {
	Small, Bulk           int // bytes
	SmallEvery, BulkEvery time.Duration
	Calm, Beside, Alone   int           // small messages of each phase
	Settle                time.Duration // until the network is what it is to be
	NinetyNinth           bool          // whether p99 says anything: not where more than 1% of the small messages are lost themselves
}

// Load implements plan.Loaded.
func (p HeadOfLine) Load(int) plan.Load {
	lasts := time.Duration(p.Calm+p.Beside+p.Alone) * p.SmallEvery
	bulk := p.Bulk * int(time.Duration(p.Calm+p.Beside)*p.SmallEvery/p.BulkEvery)
	return plan.Load{Bytes: bulk + (p.Calm+p.Beside+p.Alone)*p.Small, Time: lasts + p.Settle, Turns: 12}
}

// ReceiveVariable, if it is "any", has the receiver of the hol program take all messages by receives for any tag.
const ReceiveVariable = "SCTPMPI_NETLAB_RECEIVE"

const (
	tagSmall = 1
	tagBulk  = 2
)

// under is how many messages of a tag are under way at most; what more would wait for waits at the sender, and counts as late.
const under = 256

// headOfLine measures which share of the small messages comes later beside bulk than the 99th percentile without loss, and which share
// does alone: these have lost a packet of their own, or follow one of their TRC that has. What is between has waited for bulk's losses.
func headOfLine(world *mpi.Comm, p HeadOfLine, stdout io.Writer) (Metrics, error) {
	if err := world.Barrier(); err != nil { // the connection is there
		return nil, err
	}
	calm, _, err := p.phase(world, p.Calm, true)
	if err != nil {
		return nil, err
	}
	if world.Rank() == 0 {
		if _, err := fmt.Fprintln(stdout, Begun); err != nil {
			return nil, err
		}
	}
	time.Sleep(p.Settle)
	begun := time.Now()
	beside, bulk, err := p.phase(world, p.Beside, true)
	if err != nil {
		return nil, err
	}
	seconds := time.Since(begun).Seconds()
	alone, _, err := p.phase(world, p.Alone, false)
	if err != nil || world.Rank() != 0 {
		return nil, err
	}
	m := Metrics{"bulk": float64(bulk) * float64(p.Bulk) * 8 / seconds / 1e6}
	p.report(m, calm, beside, alone)
	return m, nil
}

// report adds the figures of the three phases' latencies.
func (p HeadOfLine) report(m Metrics, calm, beside, alone latencies) {
	beside.report(m)
	if !p.NinetyNinth {
		delete(m, "p99")
	}
	delete(m, "max")
	m["calm"] = calm.quantile(0.99)
	m["delayed"] = 100 * beside.above(m["calm"])
	m["own"] = 100 * alone.above(m["calm"])
	m["blocked"] = max(0, m["delayed"]-m["own"])
}

// phase sends or receives small messages, beside bulk or alone. Both ranks begin it together.
func (p HeadOfLine) phase(world *mpi.Comm, count int, beside bool) (small latencies, bulk uint64, err error) {
	if err := world.Barrier(); err != nil {
		return nil, 0, err
	}
	if world.Rank() != 0 {
		return nil, 0, p.send(world, count, beside)
	}
	arrivals := map[int]func(data []byte){tagSmall: small.arrived}
	if beside {
		arrivals[tagBulk] = func([]byte) { bulk++ }
	}
	if os.Getenv(ReceiveVariable) == "any" {
		err = receiveAny(world, 1, max(p.Small, p.Bulk), 2*16, arrivals)
		return small, bulk, err
	}
	size := map[int]int{tagSmall: p.Small, tagBulk: p.Bulk}
	var work []func() error
	for tag, arrived := range arrivals {
		work = append(work, func() error {
			_, err := receive(world, 1, tag, size[tag], 16, arrived)
			return err
		})
	}
	err = together(work...)
	return small, bulk, err
}

// send sends bulk, if it is to, for as long as it sends small messages.
func (p HeadOfLine) send(world *mpi.Comm, count int, beside bool) error {
	over := make(chan struct{})
	work := []func() error{func() error {
		defer close(over)
		w := newWindow(world, 0, tagSmall, p.Small, under)
		err := pace(p.SmallEvery, count, func(i uint64) error {
			return w.send(i, func(data []byte) { stamp(data, time.Now().UnixNano()) })
		})
		return firstOf(err, w.end())
	}}
	if beside {
		work = append(work, func() error {
			return sendBulk(newWindow(world, 0, tagBulk, p.Bulk, under), p.BulkEvery, over)
		})
	}
	return together(work...)
}

// sendBulk sends messages at intervals, or as fast as they can be sent if there are none, until it is over.
func sendBulk(w *window, every time.Duration, over <-chan struct{}) error {
	due := make(chan time.Time)
	close(due) // always
	clock := (<-chan time.Time)(due)
	if every > 0 {
		tick := time.NewTicker(every)
		defer tick.Stop()
		clock = tick.C
	}
	for i := uint64(0); ; i++ {
		<-clock
		select {
		case <-over:
			return w.end()
		default:
		}
		if err := w.send(i, nil); err != nil {
			return err
		}
	}
}

// firstOf returns the first error that is one. The others follow from it.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
