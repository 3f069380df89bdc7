package ranks

import (
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Streams sends messages at intervals from rank 1 to rank 0, with many tags in turn.
type Streams struct {
	Tags  int
	Count int // messages of a tag
	Size  int // bytes
	Every time.Duration
}

// Load implements plan.Loaded.
func (p Streams) Load(int) plan.Load {
	n := p.Tags * p.Count
	return plan.Load{Bytes: n * p.Size, Time: time.Duration(n) * p.Every}
}

// manyStreams measures how long the messages take, and the memory of rank 0.
func manyStreams(world *mpi.Comm, p Streams) (Metrics, error) {
	if err := world.Barrier(); err != nil {
		return nil, err
	}
	if world.Rank() != 0 {
		return nil, p.send(world)
	}
	var (
		mu   sync.Mutex
		all  latencies
		work = make([]func() error, p.Tags)
	)
	for tag := range work {
		work[tag] = func() error {
			_, err := receive(world, 1, tag, p.Size, 2, func(data []byte) {
				mu.Lock()
				defer mu.Unlock()
				all.arrived(data)
			})
			return err
		}
	}
	if err := together(work...); err != nil {
		return nil, err
	}
	used, err := usage()
	if err != nil {
		return nil, err
	}
	m := Metrics{"memory": used.memory}
	all.report(m)
	return m, nil
}

func (p Streams) send(world *mpi.Comm) error {
	windows := make([]*window, p.Tags)
	for tag := range windows {
		windows[tag] = newWindow(world, 0, tag, p.Size, 16)
	}
	err := pace(p.Every, p.Tags*p.Count, func(i uint64) error {
		return windows[i%uint64(p.Tags)].send(i/uint64(p.Tags), func(data []byte) { stamp(data, time.Now().UnixNano()) })
	})
	for _, w := range windows {
		err = firstOf(err, w.end())
	}
	return err
}
