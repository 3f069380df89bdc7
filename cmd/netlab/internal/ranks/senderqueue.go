package ranks

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// SenderQueue sends small messages of one TRC at intervals from rank 1 to rank 0, while another carries bulk as fast as it can, so that
// the small ones share the sender's queue with it.
type SenderQueue struct {
	Small, Count int // bytes, messages
	Every        time.Duration
	Bulk, Window int // bytes of a message; how many are under way
}

// Load implements plan.Loaded.
func (p SenderQueue) Load(int) plan.Load {
	return plan.Load{Bytes: p.Bulk * p.Window, Time: time.Duration(p.Count) * p.Every}
}

// senderQueue measures how long the small messages take, and what bulk passes meanwhile.
func senderQueue(world *mpi.Comm, p SenderQueue) (Metrics, error) {
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
func (p SenderQueue) send(world *mpi.Comm) error {
	over := make(chan struct{})
	return together(func() error {
		return sendBulk(newWindow(world, 0, tagBulk, p.Bulk, p.Window), 0, over)
	}, func() error {
		defer close(over)
		w := newWindow(world, 0, tagSmall, p.Small, 1024)
		err := pace(p.Every, p.Count, func(i uint64) error {
			return w.send(i, func(data []byte) { stamp(data, time.Now().UnixNano()) })
		})
		return firstOf(err, w.end())
	})
}
