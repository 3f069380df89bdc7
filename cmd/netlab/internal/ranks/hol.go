package ranks

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// HeadOfLine sends small messages of one TRC at intervals from rank 1 to rank 0, while another carries bulk.
type HeadOfLine struct {
	Small, Count int // bytes, messages
	Every        time.Duration
	Bulk, Window int           // bytes of a message; how many are under way
	BulkEvery    time.Duration // 0: as fast as they can be sent
}

// Load implements plan.Loaded.
func (p HeadOfLine) Load(int) plan.Load {
	return plan.Load{Bytes: p.Bulk * p.Window, Time: time.Duration(p.Count) * p.Every}
}

const (
	tagSmall = 1
	tagBulk  = 2
)

// headOfLine measures how long the small messages take, and what bulk passes meanwhile.
func headOfLine(world *mpi.Comm, p HeadOfLine) (Metrics, error) {
	if err := world.Barrier(); err != nil { // the connection is there
		return nil, err
	}
	if world.Rank() != 0 {
		return nil, p.send(world)
	}
	var small latencies
	var bulk uint64
	begun := time.Now()
	err := together(func() (err error) {
		bulk, err = receive(world, 1, tagBulk, p.Bulk, p.Window, nil)
		return err
	}, func() error {
		_, err := receive(world, 1, tagSmall, p.Small, 16, small.arrived)
		return err
	})
	if err != nil {
		return nil, err
	}
	seconds := time.Since(begun).Seconds()
	m := Metrics{"bulk": float64(bulk) * float64(p.Bulk) * 8 / seconds / 1e6}
	small.report(m)
	return m, nil
}

// send sends bulk for as long as it sends small messages.
func (p HeadOfLine) send(world *mpi.Comm) error {
	over := make(chan struct{})
	return together(func() error { return p.sendBulk(world, over) }, func() error {
		defer close(over)
		w := newWindow(world, 0, tagSmall, p.Small, 1024)
		err := pace(p.Every, p.Count, func(i uint64) error {
			return w.send(i, func(data []byte) { stamp(data, time.Now().UnixNano()) })
		})
		return firstOf(err, w.end())
	})
}

func (p HeadOfLine) sendBulk(world *mpi.Comm, over <-chan struct{}) error {
	w := newWindow(world, 0, tagBulk, p.Bulk, p.Window)
	due := make(chan time.Time)
	close(due) // always
	clock := (<-chan time.Time)(due)
	if p.BulkEvery > 0 {
		tick := time.NewTicker(p.BulkEvery)
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
